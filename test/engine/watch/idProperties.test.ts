import fc from 'fast-check';

import { scaleRunCount } from '../../support/scaleRunCount';
import type { SimulatedId, HistoryEvent, WatchHistory } from './idHistory';
import { IdSimulation } from './idSimulation';

const anyIntegerUpTo = (max: number) => fc.integer({ min: 0, max });

const anySimulatedId: fc.Arbitrary<SimulatedId> = fc.record({
	finishedAtMs: fc.option(anyIntegerUpTo(60_000), { nil: undefined }),
	outcome: fc.constantFrom('approved', 'denied', 'expired'),
	unknownFromMs: fc.oneof(fc.constant(Infinity), anyIntegerUpTo(90_000)),
	isEntered: fc.boolean(),
	rejectedUntilMs: fc.oneof(fc.constant(0), anyIntegerUpTo(40_000)),
	abnormalFromMs: fc.oneof({ weight: 2, arbitrary: fc.constant(Infinity) }, anyIntegerUpTo(60_000)),
	abnormalKind: fc.constantFrom('unrecognized' as const, 'webPage', 'doubtful'),
});

const HOUR_MS = 3_600_000;
/** Numbers of the IDs that are submitted together. */
const anySubmittedIds = fc.array(anyIntegerUpTo(5), { minLength: 1, maxLength: 6 });
const anyEvent: fc.Arbitrary<HistoryEvent> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({ kind: fc.constant('submit' as const), ids: anySubmittedIds }),
	},
	{
		weight: 3,
		// A killed process takes longer to restart than the interval of an ID.
		arbitrary: fc.record({
			kind: fc.constant('kill' as const),
			downtimeMs: fc.oneof(
				{ weight: 4, arbitrary: fc.integer({ min: 3000, max: 30_000 }) },
				{ weight: 1, arbitrary: fc.integer({ min: 10 * HOUR_MS, max: 100 * HOUR_MS }) },
			),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('reopen' as const),
			downtimeMs: anyIntegerUpTo(2000),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('clock' as const),
			byMs: fc.oneof(
				{ weight: 4, arbitrary: fc.integer({ min: -30_000, max: 30_000 }) },
				{ weight: 1, arbitrary: fc.integer({ min: -200 * HOUR_MS, max: 200 * HOUR_MS }) },
			),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('condition' as const),
			condition: fc.constantFrom(
				'available' as const,
				'available',
				'down',
				'rateLimited',
				'disconnecting',
				'garbled',
			),
		}),
	},
);

const anyHistory: fc.Arbitrary<WatchHistory> = fc.record({
	seed: fc.integer(),
	ids: fc.array(anySimulatedId, { minLength: 6, maxLength: 6 }),
	events: fc.array(
		fc.record({ afterMs: fc.oneof(anyIntegerUpTo(100), anyIntegerUpTo(10_000)), event: anyEvent }),
		{
			maxLength: 12,
		},
	),
	rejectedStartsPercent: fc.constantFrom(0, 0, 30, 80),
	keepsKeys: fc.constantFrom(true, true, false),
	intervalMs: fc.integer({ min: 1000, max: 3000 }),
	maxInFlight: fc.integer({ min: 1, max: 4 }),
	maxWaitMs: fc.integer({ min: 20_000, max: 60_000 }),
});

describe('random histories of IDs', () => {
	test('each ID starts the workflow once or is reported once, and polling keeps its interval, its end and the concurrency limit', async () => {
		await fc.assert(
			fc.asyncProperty(anyHistory, async (history) => {
				const simulation = new IdSimulation(structuredClone(history));
				await simulation.simulate();
				expect(simulation.violations).toEqual([]);
				const unresolvedIds = [...simulation.acknowledgedIds].filter(
					(id) => !simulation.executions.has(id) && !simulation.reportedIds.has(id),
				);
				expect(unresolvedIds).toEqual([]);
			}),
			{ numRuns: scaleRunCount(300) },
		);
	}, 300_000);
});
