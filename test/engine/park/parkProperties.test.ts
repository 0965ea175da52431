import fc from 'fast-check';

import { scaleRunCount } from '../../support/scaleRunCount';
import { sendAndWait, useParkRig } from './parkRig';
import { ApprovalService } from './parkService';

// Executions start and are decided while resume calls from outside (one, or two at once) and kills of n8n happen at any time.
// Each execution resumes exactly once, with the right outcome of each item, and each request is sent once.

const MINUTE = 60_000;
const LAST_EVENT_MS = 8 * MINUTE;
/** A decision is read at the latest after this time. */
const MAX_POLL_DELAY_MS = 10_000;
/** Wait limit of items whose plan has none, in the operation with limits. */
const DEFAULT_LIMIT_MS = 10 * MINUTE;
/** The pack sends no resume call within this time before n8n's own timer (`n8n/resumeTimer`). */
const TIMER_WINDOW_MS = 75_000;
const rig = useParkRig();
const { open, advanceTime } = rig;

/** Plan of one item: when it is decided after its execution began, if ever, with which status, and its wait limit. */
interface ItemPlan {
	decidedAfterMs?: number;
	status: string;
	limitMs?: number;
}

/** A resume call from outside, two at once, or a kill of n8n. */
interface Disturbance {
	timeMs: number;
	kind: 'call' | 'twoCalls' | 'kill';
	/** Index of the execution whose webhook is called. */
	execution: number;
}

const anyTimeMs = fc.integer({ min: 0, max: LAST_EVENT_MS });
const anyItemPlan: fc.Arbitrary<ItemPlan> = fc.record({
	decidedAfterMs: fc.option(anyTimeMs, { nil: undefined, freq: 6 }),
	status: fc.constantFrom('approved', 'denied', 'expired'),
	limitMs: fc.option(
		fc.integer({ min: 30, max: 600 }).map((seconds) => 1000 * seconds),
		{
			nil: undefined,
		},
	),
});
const anyExecutions = fc.array(fc.array(anyItemPlan, { minLength: 1, maxLength: 3 }), {
	minLength: 1,
	maxLength: 3,
});
const anyDisturbances: fc.Arbitrary<Disturbance[]> = fc.array(
	fc.record({
		timeMs: anyTimeMs,
		kind: fc.constantFrom('call', 'twoCalls', 'kill'),
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

async function applyDisturbance({ kind, execution }: Disturbance): Promise<void> {
	if (kind === 'kill') {
		await waitUntilIdle();
		return rig.host.restartProcess();
	}
	const id = `${execution + 1}`;
	const url = `${rig.host.resumeBaseUrl}/${id}?signature=token-of-${id}/node-1`;
	const call = async () => await rig.host.respond({ method: 'POST', url }, true);
	await Promise.all(kind === 'twoCalls' ? [call(), call()] : [call()]);
}

/** Returns the possible outcomes of an item. A decision near or after the limit counts only if a poll still reads it. */
function possibleOutcomes({
	decidedAfterMs = Infinity,
	status,
	limitMs = Infinity,
}: ItemPlan): string[] {
	if (decidedAfterMs < limitMs - MAX_POLL_DELAY_MS) return [status];
	return decidedAfterMs === Infinity ? ['stillOutstanding'] : [status, 'stillOutstanding'];
}

/** Returns the starts of the executions, one per second, and the disturbances in the order of their times. */
function sortEvents(plans: ItemPlan[][], disturbances: Disturbance[]) {
	const starts = plans.map((_, execution) => ({
		timeMs: 1000 * execution,
		kind: 'start' as const,
		execution,
	}));
	return [...starts, ...disturbances].sort((a, b) => a.timeMs - b.timeMs);
}

test.each([
	['without a wait limit', false],
	['with a wait limit for each item', true],
])(
	'every execution %s resumes once with a possible outcome, whatever calls and kills happen',
	async (_, hasLimit) => {
		await fc.assert(
			fc.asyncProperty(anyExecutions, anyDisturbances, async (drawnPlans, disturbances) => {
				// An item without a decision needs a limit, or the wait would never end.
				const plans = drawnPlans.map((items) =>
					items.map((item) => ({
						...item,
						limitMs: hasLimit ? (item.limitMs ?? DEFAULT_LIMIT_MS) : undefined,
						decidedAfterMs: hasLimit ? item.decidedAfterMs : (item.decidedAfterMs ?? LAST_EVENT_MS),
					})),
				);
				rig.service = new ApprovalService();
				open(
					hasLimit
						? sendAndWait({ operation: 'create', wait: true, waitLimit: '={{ $json.limit }}' })
						: sendAndWait(),
				);
				const startedAtMs = Date.now();
				for (const event of sortEvents(plans, disturbances)) {
					await advanceTime(Math.max(0, startedAtMs + event.timeMs - Date.now()));
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
							const uuid = rig.service.findUuid(`${event.execution} ${item}`);
							rig.service.decide(uuid, status);
						};
						// The request exists after a second.
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
					expect(remainingMs).toBeGreaterThanOrEqual(TIMER_WINDOW_MS);
				rig.host.packProcess.kill();
				rig.host.stopTimers();
				jest.clearAllTimers();
			}),
			{ numRuns: scaleRunCount(12) },
		);
	},
	240_000,
);
