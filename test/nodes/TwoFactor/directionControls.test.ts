// Protects the owner of a phone: controls of the writing direction cannot show other digits or rows than the workflow sends.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { escapeDirectionControls } from '../../../nodes/engine/review/displayText';
import { useAcceleratedTime } from '../../support/fakeClock';
import { scaleRunCount } from '../../support/scaleRunCount';
import { adviceOf, APP_ID, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();

/** U+202A to U+202E and U+2066 to U+2069. */
const CONTROLS = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const ALL_CONTROLS = String.fromCodePoint(...CONTROLS);
const ALL_ESCAPES = CONTROLS.map((point) => `\\u${point.toString(16)}`).join('');
const readApprovals = () => rig.control('approvals', { twofactor_id: APP_ID }) as IDataObject[];
const countRequests = () => rig.countRequests('createApprovalRequest');

const oneLevel = {
	decidedBy: 'severalPeople',
	levels: { level: [{ name: `Team${ALL_CONTROLS}`, people: APP_ID }] },
};

/** Sends one request, approves it, and returns it as the service received it. */
async function send(operation: string, parameters: IDataObject): Promise<IDataObject> {
	const running = rig.operate('approvalRequest', operation, {
		twofactorId: APP_ID,
		message: 'May I?',
		...parameters,
	});
	for (let attempt = 0; attempt < 200 && readApprovals().length === 0; attempt++) await delay(25);
	const [approval] = readApprovals();
	if (approval) rig.control('decide', { uuid: approval.uuid, decision: 'approved' });
	const { error } = await running;
	expect(error).toBeUndefined();
	return approval!;
}

describe.each<[string, string, IDataObject]>([
	['Create', 'create', {}],
	['Send and Wait for Approval', 'sendAndWait', {}],
	['Send and Wait for Approval by several people', 'sendAndWait', oneLevel],
])('%s', (_, operation, parameters) => {
	const reversed = 'Pay \u202e2500\u202c';
	const visible = 'Pay \\u202e2500\\u202c';

	it('shows direction controls in the message as escapes', async () => {
		const { message } = await send(operation, {
			...parameters,
			message: `${reversed} ${ALL_CONTROLS}`,
		});
		expect(message).toBe(`${visible} ${ALL_ESCAPES}`);
	});

	it.each<[string, IDataObject]>([
		['rows', { details: { rows: [{ name: `A${ALL_CONTROLS}`, value: reversed }] } }],
		[
			'JSON',
			{
				specifyDetails: 'json',
				detailsJson: JSON.stringify({ [`A${ALL_CONTROLS}`]: reversed }),
			},
		],
	])('shows direction controls in details from %s as escapes', async (__, details) => {
		const approval = await send(operation, { ...parameters, ...details });
		expect(approval.details).toMatchObject({ [`A${ALL_ESCAPES}`]: visible });
		expect(JSON.stringify(approval.details)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
	});

	it('sends hidden details, which no phone shows, unchanged', async () => {
		const options = { hiddenDetails: { rows: [{ name: 'order', value: reversed }] } };
		const approval = await send(operation, { ...parameters, options });
		expect(approval.hidden_details).toEqual({ order: reversed });
	});

	it('leaves text that runs from right to left, marks and line breaks as they are', async () => {
		const text = 'شراء 250\u200f؟\nכן\u200e';
		const details = { rows: [{ name: 'סכום', value: text }] };
		const approval = await send(operation, { ...parameters, message: text, details });
		expect(approval).toMatchObject({ message: text, details: { סכום: text } });
	});

	it('rejects a message that is too long once its controls are visible', async () => {
		const message = `${'x'.repeat(139)}\u202e`;
		const { error } = await rig.operate('approvalRequest', operation, {
			twofactorId: APP_ID,
			...parameters,
			message,
		});
		expect(error?.message).toBe("'Message' is too long: 145 of 144 characters");
		expect(adviceOf(error)).toContain(
			'A character that turns the direction of writing counts as 6',
		);
		expect(countRequests()).toBe(0);
	});

	it('rejects two details that would have the same name', async () => {
		const rows = ['a\u202e', 'a\\u202e'].map((name) => ({ name, value: '1' }));
		const { error } = await rig.operate('approvalRequest', operation, {
			twofactorId: APP_ID,
			message: 'May I?',
			...parameters,
			details: { rows },
		});
		expect(error?.message).toBe('\'Details\' has "a\\u202e" twice');
		expect(countRequests()).toBe(0);
	});
});

it('the name of a level is shown with escapes', async () => {
	const { details } = await send('sendAndWait', oneLevel);
	expect(details).toEqual({ Level: `"Team${ALL_ESCAPES}" (1 of 1 must approve)` });
});

it('the message of a one-time code is sent with escapes', async () => {
	await rig.operate('oneTimeCode', 'sendBySms', {
		twofactorId: APP_ID,
		options: { action: 'pay', actionMessage: 'Pay \u202e2500' },
	});
	const [entry] = rig.sandbox.requestLog.entries({ service: 'twoFactor' });
	expect(entry!.query).toEqual({ action: 'pay', action_message: 'Pay \\u202e2500' });
});

test('escapeDirectionControls leaves no control, and changes nothing else', () => {
	const unit = fc.oneof(
		fc.constantFrom(...ALL_CONTROLS),
		fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
	);
	fc.assert(
		fc.property(fc.array(unit), (units) => {
			const expected = units.map((one) =>
				ALL_CONTROLS.includes(one) ? `\\u${one.charCodeAt(0).toString(16)}` : one,
			);
			expect(escapeDirectionControls(units.join(''))).toBe(expected.join(''));
		}),
		{ numRuns: scaleRunCount(500) },
	);
});
