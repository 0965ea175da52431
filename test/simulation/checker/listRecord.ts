import type { ShownRecord } from '../history';
import { FIRST_REACH_MS, TOLERANCE_MS } from './listEvidence';
import type { ListEvidence, StartedChange } from './listEvidence';
import { checkPromptReads } from './listPromptReads';
import { CLOCK_SKEW_MS, isDatedBefore, isSame, nameOf } from './listReads';
import type { Receipt, StateRun } from './listReads';
import { eventsOf } from './verdict';
import type { EventOf, Verdict } from './verdict';

/** A process that lives for this long after it received a change has started the workflow for it. */
const START_MS = 120_000;
/** A check reaches back this far, every quarter of an hour. */
const WIDE_REACH_MS = 2 * 3_600_000;
/** The trigger of a compared list forgets a record that is missing for this long. */
const VANISHED_AFTER_MS = 7 * 24 * 3_600_000;

/** Checks the starts of one record. */
export class RecordCheck {
	private readonly changes: Array<EventOf<'changed'>>;
	private readonly runs: StateRun[];
	private readonly starts: StartedChange[];

	constructor(
		private readonly evidence: ListEvidence,
		private readonly number: number,
		private readonly verdict: Verdict,
	) {
		this.changes = evidence.changes.get(number)!;
		this.runs = evidence.runs.get(number) ?? [];
		this.starts = evidence.starts.get(number) ?? [];
	}

	run(): void {
		for (const start of this.starts) this.checkTruth(start);
		for (const kind of this.evidence.settings.kinds) this.checkOnce(kind);
		this.checkRuns();
		checkPromptReads(this.evidence, this.number, this.verdict);
	}

	/** Checks that a start shows what the service returned before it. */
	private checkTruth({ kind, shown, at }: StartedChange): void {
		const isShown = this.runs.some((run) => isSame(run.shown, shown) && run.receipts[0]!.at <= at);
		if (!isShown) this.violate('a start shows what the service returned', at, kind);
		if (!this.evidence.settings.kinds.includes(kind))
			this.violate('only selected changes start the workflow', at, kind);
	}

	/** Checks that the starts of a kind are no more than the changes of that kind. */
	private checkOnce(kind: string): void {
		const starts = this.starts.filter((start) => start.kind === kind);
		if (kind === 'created' || kind === 'checkedIn') {
			this.limit(starts, this.countEvents(kind), kind);
			return;
		}
		for (const name of new Set(starts.map(({ shown }) => nameOf(shown)))) {
			const startsOfState = starts.filter(({ shown }) => nameOf(shown) === name);
			const count = this.changes.filter(
				(change) =>
					change.shown && nameOf(change.shown) === name && this.isAfterStart(timeOf(change)),
			).length;
			this.limit(startsOfState, count, kind);
		}
	}

	private countEvents(kind: 'created' | 'checkedIn'): number {
		const { changes } = this;
		// Without exact dates, a record that appears later is new.
		const { hasExactDates } = this.evidence.settings;
		const isNew = (change: EventOf<'changed'>) =>
			this.isAfterStart(hasExactDates ? change.createdAt : timeOf(change)) ||
			this.isImported(change);
		if (kind === 'created') return changes.some(isNew) ? 1 : 0;
		return changes.filter(
			(change, index) =>
				change.shown?.isIn && this.isAfterStart(timeOf(change)) && !changes[index - 1]?.shown?.isIn,
		).length;
	}

	/** Whether a record appeared later with a date from shortly before: it may count as new, or as changed. */
	private isImported(change: EventOf<'changed'>): boolean {
		const { settings, mayFrom } = this.evidence;
		const { createdAt } = change;
		const reachMs = (settings.isFiltered ? FIRST_REACH_MS : CLOCK_SKEW_MS) + settings.overlapMs;
		if (!settings.isFiltered && isDatedBefore(this.evidence.history, createdAt, mayFrom))
			return true;
		return timeOf(change) >= mayFrom && createdAt < mayFrom && createdAt >= mayFrom - reachMs;
	}

	private isAfterStart(time: number): boolean {
		return time >= this.evidence.mayFrom;
	}

	private limit(starts: StartedChange[], count: number, kind: string): void {
		for (const [index, start] of starts.slice(count).entries()) {
			const others = starts.slice(0, count + index);
			const excuse = this.excuseOfRepetition(start, others);
			if (excuse) this.verdict.excuse(excuse);
			else if (count === 0) this.violate('old records start nothing', start.at, kind);
			else this.violate('a change starts the workflow once', start.at, kind);
		}
	}

	/** Returns the documented limit that excuses another start of a change, if any. */
	private excuseOfRepetition(start: StartedChange, others: StartedChange[]): string | undefined {
		const { evidence } = this;
		const forgotten = others.filter((other) => this.mayForgetKey(other));
		if (others.some((other) => evidence.isRestored(other, start.at)))
			return 'a restored backup does not contain the start';
		if (forgotten.some((other) => evidence.isUnsaved(other))) return UNSAVED_START;
		if (this.isBatchAfterKill(start, others)) return 'a batch starts again after a crash';
		if (forgotten.some((other) => evidence.isOfTwoProcesses(other))) return TWO_PROCESSES;
		return undefined;
	}

	/** Whether n8n does not recognize a start by its key, or the key depends on a state that n8n may not have saved. */
	private mayForgetKey({ key }: StartedChange): boolean {
		const { history, settings } = this.evidence;
		const [n8n] = eventsOf(history, 'settings');
		const isPruned = eventsOf(history, 'pruned').some((event) => event.key === key);
		const dependsOnState = !settings.isFiltered || settings.batchesChanges;
		return n8n?.keepsExecutions !== true || isPruned || dependsOnState;
	}

	/** Whether a start is part of a batch that n8n was killed before. */
	private isBatchAfterKill({ at }: StartedChange, others: StartedChange[]): boolean {
		const { settings, history } = this.evidence;
		const last = others.at(-1);
		if (!settings.batchesChanges || !last) return false;
		const kills = eventsOf(history, 'processEnded').filter(({ killed }) => killed);
		return kills.some((kill) => last.at <= kill.at + START_MS && kill.at <= at);
	}

	/** Checks that each state which a process received and had the time to start, and the last state, started the workflow. */
	private checkRuns(): void {
		const required = new Map<string, number>();
		const { runs, evidence } = this;
		const lastChange = this.changes.findLast(({ visibleAt }) => visibleAt <= evidence.endAt);
		const last = runs.at(-1);
		if (lastChange?.shown && !(last && isSame(last.shown, lastChange.shown)))
			this.checkUnread(lastChange);
		for (const [index, run] of runs.entries()) {
			const isLast = lastChange?.shown !== undefined && run === last;
			const receipt =
				run.receipts.find((each) => evidence.timeToStart(each) >= START_MS) ??
				(isLast ? run.receipts.at(-1) : undefined);
			if (!receipt) continue;
			for (const kind of this.requiredKinds(index, receipt)) {
				const name = `${kind} ${nameOf(run.shown)}`;
				const count = (required.get(name) ?? 0) + 1;
				required.set(name, count);
				const startCount = this.starts.filter(
					(start) => isSame(start.shown, run.shown) && (kind === ANY_KIND || start.kind === kind),
				).length;
				if (startCount < count) this.miss(kind, run);
			}
		}
	}

	private miss(kind: string, { shown, receipts }: StateRun): void {
		const isReported = eventsOf(this.evidence.history, 'reported').some(({ description }) =>
			description.includes(`${this.number}`),
		);
		// n8n has the key of an unsaved start, so it ignores a later change that has the same key.
		const others = this.starts.filter((start) => kind === ANY_KIND || start.kind === kind);
		const isUnsaved = others.some((start) => this.evidence.isUnsaved(start));
		const isOfTwo = others.some((start) => this.evidence.isOfTwoProcesses(start));
		if (isReported) this.verdict.excuse('an unclear start is reported instead');
		else if (isUnsaved) this.verdict.excuse(UNSAVED_START);
		else if (isOfTwo && !this.evidence.settings.isFiltered) this.verdict.excuse(TWO_PROCESSES);
		else
			this.violate(
				'a change that was received starts the workflow',
				receipts[0]!.at,
				`${kind} ${nameOf(shown)}`,
			);
	}

	/** Checks a last state that no process received. */
	private checkUnread({ at, visibleAt, shown }: EventOf<'changed'>): void {
		const { evidence, verdict } = this;
		if (at < evidence.mustFrom) return;
		if (evidence.settings.isFiltered && visibleAt - at > WIDE_REACH_MS - START_MS)
			verdict.excuse('a record appears later than two hours');
		else if (evidence.settings.isFiltered && evidence.isBeforeFirstReach(at))
			verdict.excuse('n8n was off for long before it saved what the first check had read');
		else this.violate('every change is read', visibleAt, nameOf(shown!));
	}

	/**
	 * Returns the kinds of which a state must have started the workflow. The process compared it with the state before, or
	 * with an earlier one if n8n had not saved that.
	 */
	private requiredKinds(index: number, receipt: Receipt): string[] {
		const { shown, receipts } = this.runs[index]!;
		const receivedAt = receipts[0]!.at;
		const known: Array<ShownRecord | undefined> = [];
		let limit = 'n8n had not saved the state of a record when it ended';
		let previous = index - 1;
		while (previous >= 0) {
			const run = this.runs[previous--]!;
			known.push(run.shown);
			const { evidence } = this;
			const before = this.runs[previous]?.shown;
			const needsStart = this.kindsOf(before, run.shown, run.receipts[0]!.at).length > 0;
			const isKnown = (each: Receipt) =>
				needsStart && evidence.isWaiting(each, run.shown)
					? this.isSameTrigger(each, receipt)
					: evidence.isKnown({ ...each, at: evidence.knownAt(each, run.shown) }, receipt);
			const knownFrom = run.receipts.findLast(isKnown);
			if (run.receipts.some((each) => evidence.isBeforePublishing(each)))
				limit = 'a record was read before the workflow could be published';
			if (knownFrom && this.isForgotten(knownFrom, receivedAt)) {
				limit = 'a deleted record appears again after it was forgotten';
				known.push(undefined);
			}
			if (knownFrom) break;
			if (previous < 0) known.push(undefined);
		}
		if (index === 0) known.push(undefined);
		const kinds = known.map((before) => this.kindsOf(before, shown, receivedAt));
		if (new Set(kinds.map(String)).size === 1) return kinds[0]!;
		if (kinds.every(({ length }) => length > 0)) return [ANY_KIND];
		if (kinds[0]!.length > 0) this.verdict.excuse(limit);
		return [];
	}

	/** Whether the record was deleted after a receipt, and its trigger had forgotten it at a time. */
	private isForgotten({ at }: Receipt, before: number): boolean {
		const { settings, completeReads } = this.evidence;
		const knownMs = settings.isFiltered ? FIRST_REACH_MS : VANISHED_AFTER_MS;
		const from = at + knownMs - TOLERANCE_MS - 2 * settings.skewMs;
		const isDeleted = this.changes.some(
			(change) => !change.shown && at <= change.at && change.at < before,
		);
		return isDeleted && completeReads.some((read) => read.at >= from && read.at < before);
	}

	/** Whether a process received two pages without closing the trigger in between. */
	private isSameTrigger(first: Receipt, second: Receipt): boolean {
		const reopened = eventsOf(this.evidence.history, 'reopened');
		const isReopened = reopened.some(({ at }) => first.at <= at && at <= second.at);
		return first.process === second.process && !isReopened;
	}

	/** Returns the kinds of change from one state of the record to another. */
	private kindsOf(
		before: ShownRecord | undefined,
		shown: ShownRecord,
		receivedAt: number,
	): string[] {
		const { settings, mustFrom, mayFrom } = this.evidence;
		const { kinds, isFiltered, includeExisting, intervalMs, hasExactDates } = settings;
		const changes = this.changes.filter((change) => change.at <= receivedAt);
		const last = changes.findLastIndex((change) => change.shown && isSame(change.shown, shown));
		const { createdAt, at, visibleAt } = changes[last]!;
		const lastOut = changes.findLastIndex(
			(change, index) => index < last && change.shown?.isIn === false,
		);
		const checkedInAt = changes[lastOut + 1]!.at;
		// An imported record may count as new or not, without exact dates always.
		if (!before && !hasExactDates && createdAt < mayFrom) return [];
		if (!before && this.isImported(changes[0]!)) return [];
		const isExisting = includeExisting && visibleAt <= 0;
		const isUndetermined = createdAt >= mayFrom && createdAt <= mustFrom;
		if (!before && isUndetermined && kinds.includes('created')) return [];
		const isNew = createdAt > mustFrom || isExisting;
		const selected = [
			...(!before && isNew ? ['created'] : []),
			...(shown.isIn && (before ? !before.isIn : checkedInAt > mustFrom) ? ['checkedIn'] : []),
			...(before && before.status !== shown.status ? ['statusChanged'] : []),
		].filter((kind) => kinds.includes(kind));
		if (selected.length > 0 || !kinds.includes('updated')) return selected;
		const isSet = eventsOf(this.evidence.history, 'serviceClockStepped').some(
			(step) => createdAt <= step.at && step.at <= at,
		);
		// A new record is not changed, unless by its dates its change and its creation lie a polling interval apart.
		const isUpdated = before
			? !isSame(before, shown)
			: isExisting ||
				(isFiltered &&
					at > mustFrom &&
					(createdAt < mayFrom || (hasExactDates && !isSet && at - createdAt > 2 * intervalMs)));
		return isUpdated ? ['updated'] : [];
	}

	private violate(promise: string, at: number, detail: string): void {
		this.verdict.violate(promise, at, `${this.number} ${detail}`);
	}
}

/** Returns when a change was made. The records that exist before the world begins get their first state with it. */
const timeOf = ({ at, visibleAt, createdAt }: EventOf<'changed'>) =>
	at === 0 && visibleAt <= 0 ? Math.min(createdAt, at) : at;

const ANY_KIND = 'any kind';
const UNSAVED_START = 'n8n had not saved the start when it ended';
const TWO_PROCESSES =
	'two processes of n8n ran at once, and one did not know the start of the other';
