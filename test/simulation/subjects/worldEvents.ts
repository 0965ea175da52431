import fc from 'fast-check';

import type { N8nModel } from '../world/n8nModel';
import type { World } from '../world/world';

/** An event at a set time that concerns n8n as a whole. */
export type TimedEvent = { atMs: number } & (
	| { kind: 'kill'; downtimeMs: number }
	| { kind: 'clock'; byMs: number }
	/** n8n is killed, and off for so long that a trigger cannot rely on n8n's executions. */
	| { kind: 'longOff'; downtimeMs: number }
	/** An orderly restart, as for an update of n8n or of the pack. */
	| { kind: 'restart'; downtimeMs: number }
	/** A second process starts before the first has ended. */
	| { kind: 'takeover'; overlapMs: number }
	/** A user unpublishes the workflows, and publishes them again after a pause. */
	| { kind: 'publish'; pauseMs: number }
	/** A backup of the database is made, and replaces the database later. */
	| { kind: 'restore'; copyAtMs: number; downtimeMs: number }
);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than triggers repeat starts, and longer than n8n keeps executions. */
const LONG_OFF_MS = 74 * HOUR_MS;
const CLOCK_STEPS_MS = [-24 * HOUR_MS, -MINUTE_MS, -1500, 1500, MINUTE_MS, 24 * HOUR_MS];

/** Generates a time in tenths of a second. */
export const anyTime = (maxMs: number): fc.Arbitrary<number> =>
	fc.integer({ min: 0, max: maxMs / 100 }).map((tenths) => tenths * 100);

export const anyDowntime = anyTime(20_000);

/** Generates an event up to `plannedMs`. */
export function anyEvent(plannedMs: number): fc.Arbitrary<TimedEvent> {
	const atMs = anyTime(plannedMs);
	const withDowntime = <Kind extends string>(kind: Kind) =>
		fc.record({ kind: fc.constant(kind), atMs, downtimeMs: anyDowntime });
	return fc.oneof(
		{ weight: 3, arbitrary: withDowntime('kill') },
		{
			weight: 2,
			arbitrary: fc.record({
				kind: fc.constant('clock' as const),
				atMs,
				byMs: fc.constantFrom(...CLOCK_STEPS_MS),
			}),
		},
		{ weight: 1, arbitrary: withDowntime('longOff') },
		{ weight: 1, arbitrary: withDowntime('restart') },
		{
			weight: 1,
			arbitrary: fc.record({
				kind: fc.constant('takeover' as const),
				atMs,
				overlapMs: anyDowntime,
			}),
		},
		{
			weight: 1,
			arbitrary: fc.record({
				kind: fc.constant('publish' as const),
				atMs,
				pauseMs: fc.oneof(fc.constant(0), anyDowntime),
			}),
		},
		{
			weight: 1,
			arbitrary: fc
				.tuple(withDowntime('restore'), anyTime(plannedMs / 2))
				.map(([event, ageMs]) => ({ ...event, copyAtMs: Math.max(0, event.atMs - ageMs) })),
		},
	);
}

/** The parts of n8n that events act on; the fast layer has another implementation than the model of n8n. */
export type Operator = Pick<N8nModel, 'stop' | 'takeOver' | 'publishAgain' | 'database'>;

export function scheduleEvent(world: World, n8n: Operator, event: TimedEvent): void {
	const { machine } = world;
	const act = (): void => {
		switch (event.kind) {
			case 'kill':
				return world.kill(event.downtimeMs);
			case 'longOff':
				world.kill(event.downtimeMs);
				return world.stepClock(LONG_OFF_MS);
			case 'clock':
				return world.stepClock(event.byMs);
			case 'restart':
				return void n8n.stop().then(() => world.onKill(event.downtimeMs));
			case 'takeover':
				return n8n.takeOver(event.overlapMs);
			case 'publish':
				return void n8n.publishAgain(event.pauseMs);
			case 'restore': {
				const copy = n8n.database.copy();
				machine.schedule(event.atMs - event.copyAtMs, () => {
					world.kill(event.downtimeMs);
					n8n.database.restore(copy);
				});
			}
		}
	};
	machine.schedule(event.kind === 'restore' ? event.copyAtMs : event.atMs, act);
}
