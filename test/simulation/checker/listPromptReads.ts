import type { ListEvidence } from './listEvidence';
import { isSame, nameOf } from './listReads';
import { eventsOf } from './verdict';
import type { Verdict } from './verdict';

/** A change may be missing from a read that had begun, or whose pages shifted. */
const READS_UNTIL_SHOWN = 3;
/** Longest time from the request for a page to its receipt, without a fault. */
const READ_DELAY_MS = 5000;

/** Checks that one of the next complete reads shows each change of a record that appeared within the overlap. */
export function checkPromptReads(evidence: ListEvidence, number: number, verdict: Verdict): void {
	const { history, settings, mustFrom, completeReads } = evidence;
	const { isFiltered, overlapMs, skewMs } = settings;
	if (eventsOf(history, 'serviceClockStepped').length > 0) return;
	const changes = evidence.changes.get(number)!;
	for (const [index, { at, visibleAt, shown }] of changes.entries()) {
		const isLate = isFiltered && visibleAt - at > overlapMs - 2 * skewMs - READ_DELAY_MS;
		if (!shown || at < mustFrom || isLate) continue;
		const next = changes[index + 1];
		const until = next ? Math.min(next.at, next.visibleAt) : Infinity;
		const reads = completeReads.filter(
			(read) => read.at > visibleAt + READ_DELAY_MS && read.at < until,
		);
		const lastAllowed = reads[READS_UNTIL_SHOWN - 1];
		if (!lastAllowed) continue;
		if (isFiltered && evidence.isBeforeFirstReach(at)) continue;
		const isShown = evidence.runs
			.get(number)
			?.some(
				(run) =>
					isSame(run.shown, shown) &&
					run.receipts.some((each) => each.at >= visibleAt && each.at <= lastAllowed.at),
			);
		if (!isShown)
			verdict.violate(
				'a change is read by the next checks',
				visibleAt,
				`${number} ${nameOf(shown)}`,
			);
	}
}
