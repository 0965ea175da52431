import type { History } from '../../history';
import { WallClock } from '../executionRecords';
import { eventsOf } from '../verdict';
import { isDoubtful, isGone, isUnrecognized } from './polls';

/** One ID that one trigger watches. */
export interface WatchedId {
	trigger: string | undefined;
	id: string;
}

/** Whether an outcome that the service did not decide is justified: by the last responses, or by the end of the wait. */
export function isTrueConclusion(
	history: History,
	watched: WatchedId,
	outcome: string,
	at: number,
): boolean {
	const { id } = watched;
	switch (outcome) {
		case 'gone':
			return isGone(history, id, at);
		case 'unproven':
			return isDoubtful(history, id, at);
		case 'unrecognized':
			return isUnrecognized(history, id, at);
		case 'stillOutstanding': {
			const [limits] = eventsOf(history, 'limits');
			const from = knownSince(history, watched);
			const { maxWaitMs = Infinity } = limits ?? {};
			return from !== undefined && new WallClock(history).hasPassed(maxWaitMs, from, at);
		}
		default:
			return false;
	}
}

/** Returns when an ID was entered, or first submitted. */
const knownSince = (history: History, { trigger, id }: WatchedId): number | undefined =>
	history.find(
		(event) =>
			(event.type === 'entered' || event.type === 'submitted') &&
			event.trigger === trigger &&
			event.ids.includes(id),
	)?.at;
