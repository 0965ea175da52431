import type { History } from '../history';
import { eventsOf } from './verdict';
import type { Verdict } from './verdict';

const PROMISE = 'a trigger runs until it is closed, and not longer';

/** Checks that triggers neither stop by themselves nor send or start anything while they are closed. */
export function checkClosed(history: History, verdict: Verdict): void {
	for (const { at, detail } of eventsOf(history, 'misbehaved'))
		verdict.violate(PROMISE, at, detail);
	const closedIn = new Set<number>();
	for (const event of history) {
		if (event.type === 'unpublished') closedIn.add(event.process);
		else if (event.type === 'reopened') closedIn.clear();
		else if (event.type !== 'requested' && event.type !== 'startRequested') continue;
		else if (closedIn.has(event.process)) verdict.violate(PROMISE, event.at, event.type);
	}
}
