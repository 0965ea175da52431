import { setTimeout as delay } from 'node:timers/promises';

import { useAcceleratedTime } from '../../support/fakeClock';
import { DEMO_PHONE, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const node = (name: string, resource: string, operation: string, parameters: object) => ({
	name,
	type: 'twoFactor',
	parameters: { resource, operation, ...parameters } as never,
});
const userId = "={{ $('Enroll').item.json.twofactor_id }}";
const enroll = node('Enroll', 'user', 'enroll', {
	email: '={{ $json.email }}',
	phoneNumber: '={{ $json.phone }}',
	country: { __rl: true, mode: 'list', value: 'US' },
});
const people = [
	{ email: 'robin.castellan@example.com', phone: '(202) 555-0143' },
	{ email: 'grace@example.com', phone: '+1 202 555 0199' },
];

describe('the login flow', () => {
	/** The second half of a login: the user types the code that the phone got. */
	const send = node('Send', 'oneTimeCode', 'sendBySms', { twofactorId: userId });
	const verify = (code: string) =>
		node('Verify', 'oneTimeCode', 'verify', { twofactorId: userId, code });

	it('one workflow enrolls once, sends a code and verifies it', async () => {
		const first = await rig.runSequence([enroll, send], people);
		expect(first.error).toBeUndefined();
		expect(first.json('Send').map(({ sent }) => sent)).toEqual([true, true]);
		const typed = [DEMO_PHONE, '+12025550199'].map((phone) => rig.readMessages(phone)[0]!.code);

		// Enrolling again gives the same users, so the same workflow serves every login.
		const input = people.map((person, index) => ({ ...person, typed: typed[index] }));
		const second = await rig.runSequence(
			[enroll, verify("={{ $('Start').item.json.typed }}")],
			input,
		);
		expect(second.error).toBeUndefined();
		expect(second.json('Enroll').map(({ twofactor_id }) => twofactor_id)).toEqual(
			first.json('Enroll').map(({ twofactor_id }) => twofactor_id),
		);
		expect(second.json('Verify').map(({ valid }) => valid)).toEqual([true, true]);
	});

	it('each response stays with its own user', async () => {
		await rig.runSequence([enroll, send], people);
		const right = rig.readMessages('+12025550199')[0]!.code;
		const input = people.map((person) => ({ ...person, typed: right }));
		const done = await rig.runSequence(
			[enroll, verify("={{ $('Start').item.json.typed }}")],
			input,
		);
		expect(done.json('Verify').map(({ valid }) => valid)).toEqual([false, true]);
		expect(done.items('Verify').map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
		]);
	});
});

describe('a push approval', () => {
	const ask = node('Ask', 'approvalRequest', 'create', {
		twofactorId: userId,
		message: '=Let {{ $("Start").item.json.email }} in?',
		options: { expiry: { time: { unit: 'minutes', amount: 10 } } },
	});
	const wait = node('Wait', 'approvalRequest', 'waitForDecision', {
		uuid: "={{ $('Ask').item.json.id }}",
		waitLimit: 30,
		options: { checkEvery: 1 },
	});
	const waitForRequest = async (): Promise<string> => {
		for (let tries = 0; tries < 200; tries++) {
			const [approval] = rig.control('approvals', { status: 'pending' });
			if (approval) return approval.uuid;
			await delay(25);
		}
		throw new Error('Nobody was asked');
	};

	it.each<[string, (uuid: string) => void]>([
		['approved', (uuid) => rig.control('decide', { uuid, decision: 'approved' })],
		['denied', (uuid) => rig.control('decide', { uuid, decision: 'denied' })],
		['expired', () => rig.sandbox.clock.advance(10 * 60_000)],
	])('one workflow handles a request that is %s', async (outcome, happen) => {
		const running = rig.runSequence([enroll, ask, wait], [people[0]!]);
		const uuid = await waitForRequest();
		happen(uuid);
		const { error, json } = await running;
		expect(error).toBeUndefined();
		expect(json('Wait')).toMatchObject([
			{ id: uuid, outcome, message: 'Let robin.castellan@example.com in?' },
		]);
		expect(json('Wait')[0]!.waitedSeconds).toEqual(expect.any(Number));
	});

	it('one node is enough if Create waits', async () => {
		const both = {
			...ask,
			parameters: { ...(ask.parameters as object), wait: true, waitLimit: 30 } as never,
		};
		const running = rig.runSequence([enroll, both], [people[0]!]);
		const uuid = await waitForRequest();
		rig.control('decide', { uuid, decision: 'approved' });
		expect((await running).json('Ask')).toMatchObject([{ id: uuid, outcome: 'approved' }]);
	});
});

it('one workflow verifies a phone number without enrolling a user', async () => {
	const phone = { phoneNumber: '={{ $("Start").item.json.phone }}' };
	const custom = { ...phone, options: { customCode: '246810' } };
	const { error, json } = await rig.runSequence(
		[
			node('Send', 'phoneVerification', 'start', custom),
			node('Wrong', 'phoneVerification', 'check', { ...phone, code: '111111' }),
			node('Right', 'phoneVerification', 'check', { ...phone, code: '246810' }),
			node('Again', 'phoneVerification', 'check', { ...phone, code: '246810' }),
		],
		[{ phone: '+1 202 555 0177' }],
	);
	expect(error).toBeUndefined();
	expect(json('Wrong')).toMatchObject([{ valid: false, reason: 'wrong' }]);
	expect(json('Right')).toMatchObject([{ valid: true }]);
	expect(json('Again')).toMatchObject([{ valid: false, reason: 'nothingPending' }]);
});
