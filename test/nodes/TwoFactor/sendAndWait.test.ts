// Protects Send and Wait for Approval: only an approval is output as approved, and invalid settings send no request.
import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { useAcceleratedTime } from '../../support/fakeClock';
import { adviceOf, APP_ID, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();

const rig = useTwoFactorRig();
const readPending = () =>
	rig.control('approvals', { status: 'pending' }) as unknown as IDataObject[];
/** An expression that gives nothing. */
const NOTHING = '={{ $json.missing }}';
const countApprovalRequests = () => rig.countRequests('createApprovalRequest');

/** Runs Send and Wait for `count` items. Calls `onPending` as soon as all requests are pending. */
async function sendAndWait(parameters: object, onPending: (uuids: string[]) => void, count = 1) {
	const running = rig.operate(
		'approvalRequest',
		'sendAndWait',
		{ twofactorId: `${APP_ID}`, message: '=Question {{ $json.index }}', ...parameters },
		Array.from({ length: count }, (_, index) => ({ index })),
	);
	for (let attempt = 0; attempt < 200 && readPending().length < count; attempt++) await delay(25);
	onPending(readPending().map(({ uuid }) => uuid as string));
	return await running;
}
const decideAll = (decision: string) => (uuids: string[]) => {
	for (const uuid of uuids) rig.control('decide', { uuid, decision });
};

it.each([
	['approved', true],
	['denied', false],
])(
	'Send and Wait outputs the outcome %s, with the question and the user',
	async (decision, approved) => {
		const { outputItems, error } = await sendAndWait(
			{
				details: { rows: [{ name: 'Amount', value: '250' }] },
				options: { hiddenDetails: { rows: [{ name: 'order', value: '17' }] } },
			},
			decideAll(decision),
		);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([
			{
				id: expect.any(String) as string,
				outcome: decision,
				approved,
				message: 'Question 0',
				details: { Amount: '250' },
				twofactor_id: Number(APP_ID),
				waitedSeconds: expect.any(Number) as number,
			},
		]);
		expect(countApprovalRequests()).toBe(1);
	},
);

it('Send and Wait outputs an expired request as not approved', async () => {
	const { outputItems } = await sendAndWait({}, ([uuid]) => rig.control('expire', { uuid }));
	expect(outputItems).toMatchObject([{ outcome: 'expired', approved: false }]);
});

it('Send and Wait waits no longer than its limit', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' };
	const { outputItems } = await sendAndWait(
		{ options: { limitWaitTime: { values } } },
		() => undefined,
	);
	expect(outputItems).toMatchObject([{ outcome: 'stillOutstanding', approved: false }]);
	expect(Math.abs(Number(outputItems[0]!.waitedSeconds) - 6)).toBeLessThan(2);
});

it('Send and Wait fails for the outcomes that the user selected as errors', async () => {
	const { error } = await sendAndWait(
		{ options: { errorOutcomes: ['denied'] } },
		decideAll('denied'),
	);
	expect(error?.message).toBe('The user denied the approval request');
});

// engine/wait/waitLimits.test.ts has the other limits that are rejected.
it('Send and Wait rejects a limit from an expression that gives nothing before any request', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: NOTHING, resumeUnit: 'hours' };
	const { error } = await rig.operate('approvalRequest', 'sendAndWait', {
		twofactorId: `${APP_ID}`,
		message: 'May I?',
		options: { limitWaitTime: { values } },
	});
	expect(error?.message).toMatch(/must be a number/);
	expect(adviceOf(error)).not.toBe('');
	expect(countApprovalRequests()).toBe(0);
});

it('Send and Wait rejects a question that is too long before any request', async () => {
	const { error } = await rig.operate('approvalRequest', 'sendAndWait', {
		twofactorId: `${APP_ID}`,
		message: 'x'.repeat(145),
	});
	expect(error?.message).toMatch(/144/);
	expect(countApprovalRequests()).toBe(0);
});

it.each<[string, unknown]>([
	['an expression that gives nothing', '={{ $json.missing }}'],
	['an expression that gives a known value', "={{ 'severalPeople' }}"],
	['an unknown value', 'twoPeople'],
	['an empty text', ''],
	['null', null],
	['a number', 2],
])('Send and Wait rejects %s in Decided By before any request', async (_, decidedBy) => {
	const { error } = await rig.operate('approvalRequest', 'sendAndWait', {
		decidedBy,
		twofactorId: `${APP_ID}`,
		levels: { level: [{ people: `${APP_ID}` }] },
		message: 'May I?',
	});
	expect(error?.message).toContain("'Decided By' must be 'One Person' or 'Several People'");
	expect(adviceOf(error)).toContain("Choose one of them in 'Decided By'");
	expect(countApprovalRequests()).toBe(0);
});

it.each([
	['amount', { amount: NOTHING }],
	['unit', { unit: NOTHING }],
])('Send and Wait rejects Expires After without an %s before any request', async (_, time) => {
	const { error } = await rig.operate('approvalRequest', 'sendAndWait', {
		twofactorId: `${APP_ID}`,
		message: 'May I?',
		options: { expiry: { time: { amount: 5, unit: 'minutes', ...time } } },
	});
	expect(error?.message).toBe("'Expires After' must be at least one second");
	expect(adviceOf(error)).toContain("Check 'Expires After': enter an amount above 0 and a unit");
	expect(countApprovalRequests()).toBe(0);
});
