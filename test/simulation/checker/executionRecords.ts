import type { History } from '../history';
import { eventsOf } from './verdict';
import type { EventOf } from './verdict';

/** Everything that a history says about one execution. */
export interface ExecutionRecord {
	id: string;
	startedAt: number;
	/** The input items of the node that waits. */
	items: Array<Record<string, unknown>>;
	/** ID of the request or job of each item; undefined if there is none. */
	askedIds: Array<string | undefined>;
	outputs: Array<EventOf<'output'>>;
	/** The last status, if the execution has ended. n8n can mark an execution as crashed that continues. */
	end?: EventOf<'executionEnded'>;
}

/** Returns the executions of a history. An item's field `question` leads to its request. */
export function readExecutions(history: History): ExecutionRecord[] {
	const asked = new Map(eventsOf(history, 'asked').map(({ question, id }) => [question, id]));
	return eventsOf(history, 'executionStarted').map(({ execution: id, at, items }) => ({
		id,
		startedAt: at,
		items,
		askedIds: items.map(({ question }) => asked.get(String(question))),
		outputs: eventsOf(history, 'output').filter(({ execution }) => execution === id),
		end: lastEnd(history, id),
	}));
}

function lastEnd(history: History, execution: string): EventOf<'executionEnded'> | undefined {
	const last = history.findLast(
		(event) =>
			(event.type === 'executionEnded' || event.type === 'executionParked') &&
			event.execution === execution,
	);
	return last?.type === 'executionEnded' ? last : undefined;
}

/** Whether a process of n8n was killed while it ran the execution. At its start n8n marks running executions as crashed, which continue. */
export function wasKilledWhileRunning(history: History, execution: string): boolean {
	let isRunning = false;
	let runner: number | undefined;
	for (const event of history) {
		const isEndOfRunner =
			event.type === 'processEnded' && event.killed && (runner ?? event.process) === event.process;
		if (isEndOfRunner && isRunning) return true;
		if (!('execution' in event) || event.execution !== execution) continue;
		if (event.type === 'executionStarted' || event.type === 'executionResumed') {
			isRunning = true;
			runner = event.process;
		}
		const hasEnded = event.type === 'executionEnded' && event.status !== 'crashed';
		if (event.type === 'executionParked' || hasEnded) isRunning = false;
	}
	return false;
}

/** n8n's crash recovery has ended this long after the start of its process. */
const RECOVERED_AFTER_MS = 10_000;

/** Whether another node behind the one that waits parked the execution while n8n was starting. */
export function wasParkedAgainAtStart(history: History, { id, outputs }: ExecutionRecord): boolean {
	const parked = history.findLast(
		(event) => event.type === 'executionParked' && event.execution === id,
	);
	if (!parked || !outputs.some(({ at }) => at <= parked.at)) return false;
	return eventsOf(history, 'processStarted').some(
		({ at }) => at <= parked.at && parked.at <= at + RECOVERED_AFTER_MS,
	);
}

/** Whether an execution ran in one process of n8n while another one started, whose recovery marked it as crashed. */
export function wasRunningAtTakeover(history: History, { id, end }: ExecutionRecord): boolean {
	const before = history.slice(0, history.indexOf(end!));
	const run = before.findLast(
		(event) =>
			(event.type === 'executionStarted' || event.type === 'executionResumed') &&
			event.execution === id,
	);
	const runner = run && 'process' in run ? run.process : undefined;
	return eventsOf(before, 'processStarted').some((started) => {
		if (end!.at > started.at + RECOVERED_AFTER_MS) return false;
		const hasEnded = before
			.slice(0, before.indexOf(started))
			.some((event) => event.type === 'processEnded' && event.process === runner);
		const wasParkedAfterwards = before
			.slice(before.indexOf(started))
			.some((event) => event.type === 'executionParked' && event.execution === id);
		return runner !== undefined && runner !== started.process && !hasEnded && wasParkedAfterwards;
	});
}

/** Whether n8n's process ended after the execution was parked for the last time. */
export function hasLostPoller(history: History, execution: string): boolean {
	const parked = history.findLastIndex(
		(event) => event.type === 'executionParked' && event.execution === execution,
	);
	// The last process ends with the history.
	const endedAt = history.findIndex(({ type }) => type === 'ended');
	return history.some(
		({ type }, index) =>
			type === 'processEnded' && index > parked && (endedAt < 0 || index < endedAt),
	);
}

/** The machine's wall clock, which can be set, in milliseconds since the world began. */
export class WallClock {
	private readonly steps: Array<EventOf<'clockStepped'>>;

	constructor(history: History) {
		this.steps = eventsOf(history, 'clockStepped');
	}

	at(time: number): number {
		return this.steps.reduce((wall, step) => (step.at <= time ? wall + step.byMs : wall), time);
	}

	/** Whether the wall clock was set back in a period. */
	isSetBack(from: number, to: number): boolean {
		return this.steps.some(({ at, byMs }) => byMs < 0 && at >= from && at <= to);
	}

	/** Whether the wall clock was set in a period. */
	isStepped(from: number, to: number): boolean {
		return this.steps.some(({ at }) => at >= from && at <= to);
	}

	/** Whether a time of this length has passed between two times, by the wall clock or by a clock that is never set. */
	hasPassed(lengthMs: number, from: number, to: number): boolean {
		// A step in the same millisecond may come after `from`.
		const target = Math.min(this.at(from - 1), this.at(from)) + lengthMs;
		const shown = [to, ...this.steps.map(({ at }) => at)].flatMap((at) => [at - 1, at]);
		return (
			to - from >= lengthMs || shown.some((at) => at >= from && at <= to && this.at(at) >= target)
		);
	}
}
