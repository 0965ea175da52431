import type { History, ShownRecord } from '../history';
import { checkClosed } from './closedTriggers';
import { isNewTrigger, ListEvidence } from './listEvidence';
import { RecordCheck } from './listRecord';
import { eventsOf, Verdict } from './verdict';

const COMPLETE_READS_AFTER_FAULTS = 3;

/** Checks the promises of triggers that follow lists of records. */
export function checkLists(history: History): Verdict {
	const verdict = new Verdict();
	verdict.startsChecked = eventsOf(history, 'started').length;
	for (const settings of eventsOf(history, 'followed')) {
		const evidence = new ListEvidence(history, settings);
		for (const number of evidence.changes.keys()) new RecordCheck(evidence, number, verdict).run();
		checkReads(evidence, verdict);
		const early = evidence.earlyFirstSave();
		if (early) verdict.violate('the first save has what the first check read', early.at, '');
	}
	checkNumbers(history, verdict);
	checkUnconfirmed(history, verdict);
	checkClosed(history, verdict);
	checkRetryAfter(history, verdict);
	return verdict;
}

function checkReads({ completeReads, history, settings }: ListEvidence, verdict: Verdict): void {
	const [ended] = eventsOf(history, 'faultsEnded');
	if (!ended) return;
	const count = completeReads.filter(({ at }) => at >= ended.at).length;
	if (count < COMPLETE_READS_AFTER_FAULTS)
		verdict.violate('every list is read after the faults', ended.at, `${settings.list} ${count}`);
}

/** Checks that each start is about a record that exists. */
function checkNumbers(history: History, verdict: Verdict): void {
	const numbers = new Set(eventsOf(history, 'changed').map(({ number }) => number));
	for (const { at, items } of eventsOf(history, 'started'))
		for (const { shown } of items)
			if (!numbers.has((shown as ShownRecord | undefined)?.number ?? NaN))
				verdict.violate('a start shows what the service returned', at, JSON.stringify(shown));
}

/** Events that one record can show at once: its creation, its check-in and a new status. */
const MAX_STARTS_PER_RECORD = 3;

/** Checks how many starts are unconfirmed at once. The starts of one record are requested together, even above the limit. */
function checkUnconfirmed(history: History, verdict: Verdict): void {
	const [{ maxUnconfirmed = Infinity } = {}] = eventsOf(history, 'followed');
	let keys = new Set<string>();
	for (const event of history) {
		if (isNewTrigger(event)) keys = new Set();
		if (event.type === 'confirmed') keys.delete(event.key);
		if (event.type !== 'startRequested') continue;
		keys.add(event.key);
		if (keys.size >= maxUnconfirmed + MAX_STARTS_PER_RECORD)
			verdict.violate('no more starts are unconfirmed than allowed', event.at, `${keys.size}`);
	}
}

/** Checks that a process sends nothing to a service before the time that the service demanded. */
function checkRetryAfter(history: History, verdict: Verdict): void {
	const requests = new Map(eventsOf(history, 'requested').map((event) => [event.request, event]));
	const pauseOf = (request: number) => {
		const { process, path } = requests.get(request)!;
		return `${process} ${path.split('/')[1]}`;
	};
	let notBefore = new Map<string, number>();
	for (const event of history) {
		if (event.type === 'reopened') notBefore = new Map();
		if (event.type === 'responded' && event.retryAfterMs)
			notBefore.set(pauseOf(event.request), event.at + event.retryAfterMs);
		if (event.type === 'requested' && event.at < (notBefore.get(pauseOf(event.request)) ?? 0))
			verdict.violate('Retry-After is kept', event.at, event.path);
	}
}
