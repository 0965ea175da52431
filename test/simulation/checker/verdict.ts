import type { History, HistoryEvent } from '../history';

/** A promise that a history breaks. */
export interface Violation {
	promise: string;
	at: number;
	detail: string;
}

/** Findings of a checker in one history. */
export class Verdict {
	readonly violations: Violation[] = [];
	/** How often a documented limit excused something, by its name. */
	readonly exceptions = new Map<string, number>();
	startsChecked = 0;

	violate(promise: string, at: number, detail: string): void {
		this.violations.push({ promise, at, detail });
	}

	excuse(limit: string): void {
		this.exceptions.set(limit, (this.exceptions.get(limit) ?? 0) + 1);
	}
}

/** An event of one type. */
export type EventOf<Type extends HistoryEvent['type']> = Extract<HistoryEvent, { type: Type }>;

/** Returns the events of one type, in order. */
export const eventsOf = <Type extends HistoryEvent['type']>(
	history: History,
	type: Type,
): Array<EventOf<Type>> => history.filter((event) => event.type === type) as Array<EventOf<Type>>;
