import type { History, ShownRecord } from '../history';
import { eventsOf } from './verdict';

/** A trigger allows for such a difference between the clocks of a service. */
export const CLOCK_SKEW_MS = 3_600_000;

/** Receipt of a page by a process. */
export interface Receipt {
	at: number;
	process: number;
}

/** A state of a record that pages showed without another state in between. */
export interface StateRun {
	shown: ShownRecord;
	receipts: Receipt[];
}

/** The states of records, and the complete reads, that processes received of a list. */
interface ListReads {
	/** The states of each record. */
	runs: Map<number, StateRun[]>;
	/** Receipt of the last page of each pass over the whole list. */
	completeReads: Receipt[];
}

/** Returns whether two states are the same to a trigger. */
export const isSame = (a: ShownRecord, b: ShownRecord): boolean => nameOf(a) === nameOf(b);

export const nameOf = ({ number, content, status, isIn, stamp }: ShownRecord): string =>
	JSON.stringify([number, content, status, isIn, stamp]);

/** Returns what the processes of a history received of a list. */
export function readsOf(history: History, list: string): ListReads {
	const requests = new Map(eventsOf(history, 'requested').map((event) => [event.request, event]));
	const reads = new Map(
		eventsOf(history, 'read')
			.filter((event) => event.list === list)
			.map((event) => [event.request, event]),
	);
	const runs: ListReads['runs'] = new Map();
	const completeReads = new Set<Receipt>();
	const passes = new Map<number, { seen: Set<number>; end?: Receipt }>();
	for (const { request, status, fault, at } of eventsOf(history, 'responded')) {
		const read = reads.get(request);
		const isDelayed = fault === undefined || fault === 'delayed';
		if (!read || !isDelayed || status !== 200) continue;
		const receipt = { at, process: requests.get(request)!.process };
		const pass = (read.page > 1 && passes.get(receipt.process)) || { seen: new Set<number>() };
		passes.set(receipt.process, pass);
		if (read.isLast) {
			// If records move to earlier pages meanwhile, a pass reads on after a page that was the last.
			if (pass.end) completeReads.delete(pass.end);
			completeReads.add((pass.end = receipt));
		}
		for (const shown of read.shown) {
			// A record that moves to a later page while they are read counts as it was first shown.
			if (pass.seen.has(shown.number)) continue;
			pass.seen.add(shown.number);
			const last = runs.get(shown.number)?.at(-1);
			if (last && isSame(last.shown, shown)) last.receipts.push(receipt);
			else addTo(runs, shown.number, { shown, receipts: [receipt] });
		}
	}
	return { runs, completeReads: [...completeReads] };
}

export function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
	const values = map.get(key);
	if (values) values.push(value);
	else map.set(key, [value]);
}

/** Whether a record is dated before a list was followed, as the service's clock was set back before a restart. */
export function isDatedBefore(history: History, createdAt: number, followedFrom: number): boolean {
	const steps = eventsOf(history, 'serviceClockStepped');
	const dateOf = (time: number) =>
		steps.reduce((date, { at, byMs }) => (at <= time ? date + byMs : date), time);
	const isRestarted = eventsOf(history, 'processStarted').some((started) =>
		steps.some(({ at, byMs }) => byMs < 0 && at > 0 && at <= started.at),
	);
	return isRestarted && dateOf(createdAt) < dateOf(Math.max(0, followedFrom)) - CLOCK_SKEW_MS;
}
