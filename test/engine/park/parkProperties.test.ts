import fc from 'fast-check';

import { scaleRunCount } from '../../support/scaleRunCount';
import { sendAndWait, useParkRig } from './parkRig';
import { ApprovalService } from './parkService';

// Starts, decisions, foreign resume calls, single and double, and kills in any order, at any time: each execution resumes
// exactly once, with the right outcome of each item, and each request is sent once.

const MINUTE = 60_000;
const LAST_EVENT_MS = 8 * MINUTE;
const rig = useParkRig();
const { open, advanceTime } = rig;

/** Plan of one item: when it is decided after its execution began, if ever, and its wait limit. */
interface Plan {
	decidedAfterMs?: number;
	status: string;
	limitMs?: number;
}

const time = fc.integer({ min: 0, max: LAST_EVENT_MS });
const anyPlan: fc.Arbitrary<Plan> = fc.record({
	decidedAfterMs: fc.option(time, { nil: undefined, freq: 6 }),
	status: fc.constantFrom('approved', 'denied', 'expired'),
	limitMs: fc.option(
		fc.integer({ min: 30, max: 600 }).map((seconds) => 1000 * seconds),
		{
			nil: undefined,
		},
	),
});
const anyExecutions = fc.array(fc.array(anyPlan, { minLength: 1, maxLength: 3 }), {
	minLength: 1,
	maxLength: 3,
});
const anyDisturbances = fc.array(
	fc.record({
		at: time,
		kind: fc.constantFrom('call' as const, 'calls' as const, 'kill' as const),
		execution: fc.nat(2),
	}),
	{ maxLength: 8 },
);

/** Waits until no execution runs, so that a kill loses nothing that n8n has not stored. */
async function waitUntilIdle(): Promise<void> {
	const isRunning = () =>
		[...rig.host.executions.values()].some(({ status }) => status === 'running');
	while (isRunning()) await advanceTime(50);
}

async function applyDisturbance({
	kind,
	execution,
}: {
	kind: string;
	execution: number;
}): Promise<void> {
	if (kind === 'kill') {
		await waitUntilIdle();
		return rig.host.restartProcess();
	}
	const id = `${execution + 1}`;
	const url = `${rig.host.base}/${id}?signature=token-of-${id}/node-1`;
	const call = async () => await rig.host.respond({ method: 'POST', url }, true);
	await Promise.all(kind === 'calls' ? [call(), call()] : [call()]);
}

/** Returns the possible results of an item. A decision after the limit may still count if a poll finds it by then. */
function possibleOutcomes({
	decidedAfterMs = Infinity,
	status,
	limitMs = Infinity,
}: Plan): string[] {
	// A poll takes a moment.
	if (decidedAfterMs < limitMs - 10_000) return [status];
	return decidedAfterMs === Infinity ? ['stillOutstanding'] : [status, 'stillOutstanding'];
}

const sortEvents = (
	plans: Plan[][],
	disturbances: Array<{ at: number; kind: string; execution: number }>,
) => {
	const starts = plans.map((_, execution) => ({ at: 1000 * execution, kind: 'start', execution }));
	return [...starts, ...disturbances].sort((a, b) => a.at - b.at);
};

test.each([
	['an operation that waits without end', false],
	['an operation with a limit for each item', true],
])(
	'%s resumes every execution with a possible result, whatever disturbs it',
	async (_, limited) => {
		await fc.assert(
			fc.asyncProperty(anyExecutions, anyDisturbances, async (drawnPlans, disturbances) => {
				// An item without a decision needs a limit, or the wait would never end.
				const plans = drawnPlans.map((items) =>
					items.map((item) => ({
						...item,
						limitMs: limited ? (item.limitMs ?? 600_000) : undefined,
						decidedAfterMs: limited ? item.decidedAfterMs : (item.decidedAfterMs ?? LAST_EVENT_MS),
					})),
				);
				rig.service = new ApprovalService();
				open(
					limited
						? sendAndWait({ operation: 'create', wait: true, waitLimit: '={{ $json.limit }}' })
						: sendAndWait(),
				);
				const startedAtMs = Date.now();
				for (const event of sortEvents(plans, disturbances)) {
					await advanceTime(Math.max(0, startedAtMs + event.at - Date.now()));
					if (event.kind !== 'start') {
						await applyDisturbance(event);
						continue;
					}
					const items = plans[event.execution]!;
					void rig.host.start(
						items.map(({ limitMs = 0 }, item) => ({
							question: `${event.execution} ${item}`,
							limit: limitMs / 1000,
						})),
					);
					items.forEach(({ decidedAfterMs, status }, item) => {
						if (decidedAfterMs === undefined) return;
						const decide = () => {
							const uuid = rig.service.uuidOf(`${event.execution} ${item}`);
							rig.service.decide(uuid, status);
						};
						setTimeout(decide, Math.max(1000, decidedAfterMs));
					});
				}
				await advanceTime(LAST_EVENT_MS + 12 * MINUTE);

				plans.forEach((items, execution) => {
					const id = `${execution + 1}`;
					expect(rig.host.executions.get(id)!.status).toBe('success');
					const nextInputs = rig.host.nextInputs.get(id)!;
					expect(nextInputs).toHaveLength(1);
					expect(nextInputs[0]!.map(({ message }) => message)).toEqual(
						items.map((__, item) => `${execution} ${item}`),
					);
					nextInputs[0]!.forEach(({ outcome }, item) => {
						expect(possibleOutcomes(items[item]!)).toContain(outcome);
					});
				});
				expect(rig.service.approvals.size).toBe(plans.flat().length);
				for (const remainingMs of rig.host.resumedEarlyByMs)
					expect(remainingMs).toBeGreaterThanOrEqual(75_000);
				rig.host.packProcess.kill();
				rig.host.close();
				jest.clearAllTimers();
			}),
			{ numRuns: scaleRunCount(12) },
		);
	},
	240_000,
);
