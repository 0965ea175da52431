// Protects people from repeated messages and calls: after an unclear failure nothing is sent again, and the error says so.
import { setTimeout as delay } from 'node:timers/promises';

import type { FaultRule } from '../../../sandbox/faultRules';
import { useAcceleratedTime } from '../../support/fakeClock';
import { adviceOf, APP_ID, APP_PHONE, DEMO_ID, DEMO_PHONE, useTwoFactorRig } from './twoFactorRig';
import { operations } from './twoFactorRows';

useAcceleratedTime();

const rig = useTwoFactorRig();
/** Prepares the parameters with which an operation succeeds, valid codes and real IDs included. */
async function prepareParameters(name: string): Promise<object> {
	const phoneNumber = DEMO_PHONE;
	const readLastCode = () => rig.readMessages(DEMO_PHONE).at(-1)!.code;
	if (name === 'verify') {
		await rig.operate('oneTimeCode', 'sendBySms', { twofactorId: DEMO_ID });
		return { code: readLastCode() };
	}
	if (name === 'check') {
		await rig.operate('phoneVerification', 'start', { phoneNumber });
		return { code: readLastCode() };
	}
	if (name !== 'get') return {};
	const { outputItems } = await rig.operate(
		'approvalRequest',
		'create',
		findOperation('create').parameters,
	);
	return { uuid: outputItems[0]!.id };
}
const findOperation = (name: string) => operations.find(({ operation }) => operation === name)!;

/** Faults that leave it unclear whether the request had its effect. `afterExecution`: the service has acted before it fails. */
const faults: Array<Pick<FaultRule, 'kind' | 'afterExecution'>> = [
	{ kind: '500', afterExecution: true },
	{ kind: 'drop', afterExecution: false },
	{ kind: 'truncate', afterExecution: false },
	{ kind: 'html', afterExecution: true },
];

/** Effects that must never happen twice, and the message if it is unclear whether one has happened. */
const effects: Array<[string, RegExp]> = [
	['sendBySms', /^.*It's unclear whether the message went out, so the request wasn't retried/],
	['sendByCall', /It's unclear whether the call was made/],
	['verify', /It's unclear whether the code was checked, which uses it up/],
	['create', /It's unclear whether the approval request went out/],
	['start', /It's unclear whether the message went out/],
	['check', /It's unclear whether the code was checked, which uses it up/],
	['enroll', /It's unclear whether the user was enrolled/],
	['delete', /It's unclear whether the user was deleted/],
];

describe.each(effects)('%s, which must not be repeated', (name, expectedAdvice) => {
	const { resource, operation, operationId, parameters } = findOperation(name);

	it.each(faults)(
		'the request is sent once, and the advice says that the result is unclear ($kind, after the effect: $afterExecution)',
		async (fault) => {
			const validParameters = await prepareParameters(name);
			rig.sandbox.faultRules.add({ service: 'twoFactor', operation: operationId, ...fault });
			const { error, outputItems } = await rig.operate(resource, operation, {
				...parameters,
				...validParameters,
				options: { tries: 5, longestWait: 1 },
			});
			expect(outputItems).toEqual([]);
			expect(adviceOf(error)).toMatch(expectedAdvice);
			expect(rig.countRequests(operationId)).toBe(1);
		},
	);
});

describe.each(effects.filter(([name]) => ['sendBySms', 'create', 'start'].includes(name)))(
	'%s with a late response',
	(name, expectedAdvice) => {
		const { resource, operation, operationId, parameters } = findOperation(name);

		it('the request is sent once', async () => {
			rig.sandbox.faultRules.add({
				service: 'twoFactor',
				operation: operationId,
				kind: 'slow',
				delayMs: 1500,
			});
			const { error } = await rig.operate(resource, operation, {
				...parameters,
				options: { timeLimit: 1 },
			});
			expect(error?.message).toBe('The two-factor service did not answer within 1 second');
			expect(adviceOf(error)).toMatch(expectedAdvice);
			// The sandbox acts 1.5 s after the request. The test waits for that, so that the next test is not affected.
			await delay(800);
			expect(rig.countRequests(operationId)).toBe(1);
		});
	},
);

describe('a phone if every response is lost', () => {
	it.each([
		['sendBySms', 'sms'],
		['sendByCall', 'call'],
	])('gets one message per item from %s', async (operation, kind) => {
		rig.sandbox.faultRules.add({ service: 'twoFactor', kind: 'drop', afterExecution: true });
		const { errorItems } = await rig.operate(
			'oneTimeCode',
			operation,
			{ twofactorId: '={{ $json.id }}', options: { force: true } },
			[{ id: DEMO_ID }, { id: APP_ID }],
			{ onError: 'continueErrorOutput' },
		);
		expect(errorItems).toHaveLength(2);
		expect(rig.readMessages(DEMO_PHONE).map((message) => message.kind)).toEqual([kind]);
		expect(rig.readMessages(APP_PHONE).map((message) => message.kind)).toEqual([kind]);
	});

	it('gets one approval request per item from Create', async () => {
		rig.sandbox.faultRules.add({ service: 'twoFactor', kind: '503', afterExecution: true });
		await rig.operate('approvalRequest', 'create', findOperation('create').parameters, [{}, {}], {
			onError: 'continueErrorOutput',
		});
		expect(rig.control('approvals', { twofactor_id: APP_ID })).toHaveLength(2);
	});
});
