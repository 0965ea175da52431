import type { History } from '../history';
import { eventsOf } from './verdict';
import type { Verdict } from './verdict';

/** A result about an approval request, or an entry of its `decisions`. */
interface Answer {
	id?: unknown;
	respondedAt?: unknown;
	decisions?: unknown;
}

/** Checks that results say when a person answered, as the service dates it, and not when the answer was read. */
export function checkAnswerTimes(history: History, verdict: Verdict): void {
	const dates = readDates(history);
	const check = ({ id, respondedAt, decisions }: Answer, at: number): void => {
		const known = dates.get(String(id));
		if (known && respondedAt !== undefined && !known.has(Date.parse(String(respondedAt))))
			verdict.violate('a result says when the person answered', at, `${id} ${respondedAt}`);
		if (Array.isArray(decisions)) for (const entry of decisions as Answer[]) check(entry, at);
	};
	for (const event of history)
		if (event.type === 'output' || event.type === 'started')
			for (const item of event.items) check(item, event.at);
}

/** Returns the times at which approval requests were answered, by their ID, as the service returned them. */
function readDates(history: History): Map<string, Set<number>> {
	const dates = new Map<string, Set<number>>();
	for (const { body } of eventsOf(history, 'executed')) {
		const { approval_request: record } = (body ?? {}) as {
			approval_request?: { uuid?: string; processed_at?: string };
		};
		if (record?.uuid === undefined || record.processed_at === undefined) continue;
		const known = dates.get(record.uuid) ?? new Set();
		dates.set(record.uuid, known.add(Date.parse(record.processed_at)));
	}
	return dates;
}
