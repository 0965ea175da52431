import type { FollowedSettings, History, HistoryEvent, ShownRecord } from '../history';
import { hasOtherLiveProcess } from './ids/moments';
import { addTo, isSame, readsOf } from './listReads';
import type { Receipt } from './listReads';
import { eventsOf } from './verdict';
import type { EventOf } from './verdict';

/** A time in which a process cannot request another start. */
interface FullTime extends Pick<Receipt, 'process'> {
	from: number;
	until: number;
}

/** An item of a start: a change of a record. */
export interface StartedChange {
	key: string;
	at: number;
	kind: string;
	shown: ShownRecord;
}

/** The first check of a filtered list reaches back this far, and its records stay known for this long. */
export const FIRST_REACH_MS = 28 * 3_600_000;

/** Dates are rounded to seconds, and requests take time. */
export const TOLERANCE_MS = 3000;

/** After this many reads of a list to its end, a trigger knows its records. */
const READS_OF_FIRST_CHECK = 3;
/** An activation waits for so long for the first read, from the start of n8n's process on. */
const FIRST_READ_MS = 10_000;
/** n8n opens a trigger again within this time after it closed it. */
const LONGEST_CLOSED_MS = 30_000;

/** Whether an event begins the life of a trigger. */
export const isNewTrigger = ({ type }: HistoryEvent): boolean =>
	type === 'processStarted' || type === 'reopened';

/** If the first check succeeds later than this after publishing, the trigger follows the list from then on. */
const LONGEST_WAIT_MS = 7 * 24 * 3_600_000;

/** The evidence about one followed list in a history. */
export class ListEvidence {
	/** Changes before this time start nothing. */
	readonly mayFrom: number;
	/** Changes after this time start the workflow. */
	readonly mustFrom: number;
	readonly changes = new Map<number, Array<EventOf<'changed'>>>();
	readonly runs: ReturnType<typeof readsOf>['runs'];
	readonly starts = new Map<number, StartedChange[]>();
	readonly endAt: number;
	readonly completeReads: Receipt[];
	private readonly saves: Array<EventOf<'saved'>>;
	private readonly fullTimes: FullTime[] = [];

	constructor(
		readonly history: History,
		readonly settings: FollowedSettings,
	) {
		this.endAt = history.at(-1)!.at;
		this.saves = eventsOf(history, 'saved').filter(
			({ workflow }) => workflow === settings.workflow,
		);
		for (const change of eventsOf(history, 'changed'))
			if (change.list === settings.list) addTo(this.changes, change.number, change);
		const { runs, completeReads } = readsOf(history, settings.list);
		this.runs = runs;
		this.completeReads = completeReads;
		this.collectStarts();
		this.collectFullTimes();
		const { includeExisting, skewMs, hasExactDates } = settings;
		const toleranceMs = TOLERANCE_MS + 2 * skewMs;
		const [firstProcess] = eventsOf(history, 'processStarted');
		const savedAt = this.firstSaveAt();
		// A read of a process that was killed before n8n saved it left no trace, and a list whose pages shift is read again.
		const lastProcess = eventsOf(history, 'processStarted').at(-1)!;
		const firstRead =
			this.completeReads.find((read, index) => {
				const earlier = this.completeReads[index - READS_OF_FIRST_CHECK + 1];
				return earlier?.process === read.process && this.isKnown(read, lastProcess);
			})?.at ?? Infinity;
		const waitedMs = firstRead === Infinity ? 0 : firstRead - (firstProcess?.at ?? 0);
		const isFollowedAtOnce = hasExactDates && waitedMs < LONGEST_WAIT_MS - toleranceMs;
		const followedFrom = isFollowedAtOnce ? savedAt : Math.max(savedAt, firstRead);
		// Until then, dates alone tell old records from new ones.
		const isClockSet = [
			...eventsOf(history, 'clockStepped'),
			...eventsOf(history, 'serviceClockStepped'),
		].some(({ at }) => at <= firstRead);
		this.mayFrom =
			includeExisting || isClockSet ? -Infinity : (firstProcess?.at ?? 0) - toleranceMs;
		const mustFrom = includeExisting
			? -Infinity
			: (isClockSet ? Math.max(savedAt, firstRead) : followedFrom) + toleranceMs;
		// A list that the trigger learns of later is followed from then on.
		const discoveries = eventsOf(history, 'discovered');
		const named = discoveries.findIndex(({ lists }) => lists.includes(settings.list));
		this.mustFrom = named > 0 ? Math.max(mustFrom, discoveries[named]!.at + toleranceMs) : mustFrom;
	}

	/** Returns the first save if it began without a start before the first read, although the service answered in time. */
	earlyFirstSave(): EventOf<'saved'> | undefined {
		const [save] = this.saves;
		const started = eventsOf(this.history, 'processStarted').find(
			({ process }) => process === save?.process,
		);
		const requests = eventsOf(this.history, 'startRequested');
		if (!save || !started || requests.some(({ at }) => at <= save.beganAt)) return undefined;
		const read = this.completeReads.find(({ process }) => process === save.process);
		// A trigger that is closed before its first read waits no longer.
		const closed = eventsOf(this.history, 'reopened').find(({ at }) => at >= started.at);
		const waitedUntil = Math.min(started.at + FIRST_READ_MS, closed?.at ?? Infinity);
		const isEarly = read && read.at > save.beganAt && read.at <= waitedUntil;
		return isEarly ? save : undefined;
	}

	/** Returns for how long a process could request the start of a change after it received it. */
	timeToStart({ at, process }: Receipt): number {
		const { history, endAt } = this;
		const end = eventsOf(history, 'processEnded').find((event) => event.process === process);
		const reopened = eventsOf(history, 'reopened').find((event) => event.at > at);
		const until = Math.min(
			end?.at ?? Infinity,
			endAt,
			(reopened?.at ?? Infinity) - LONGEST_CLOSED_MS,
		);
		return this.fullTimes
			.filter((full) => full.process === process)
			.reduce(
				(ms, full) => ms - Math.max(0, Math.min(full.until, until) - Math.max(full.from, at)),
				until - at,
			);
	}

	/** Whether a process certainly knows what was received at a time, by itself or from the database. */
	isKnown(receipt: Receipt, { process }: Pick<Receipt, 'process'>): boolean {
		if (this.isBeforePublishing(receipt)) return false;
		if (receipt.process === process) return true;
		const started = this.history.findIndex(
			(event) => event.type === 'processStarted' && event.process === process,
		);
		const save = this.lastSaveBefore(started);
		if (!save) return false;
		if (save.process === receipt.process) return save.beganAt >= receipt.at;
		const { process: writer = Infinity } = save;
		return writer < process && this.isKnown(receipt, { process: writer });
	}

	/**
	 * Whether no process had saved up to when it read the list, and the first read after a change came so much later that it
	 * did not reach back to it.
	 */
	isBeforeFirstReach(at: number): boolean {
		const next = this.completeReads.find((read) => read.at > at);
		if (!next || next.at <= at + FIRST_REACH_MS - TOLERANCE_MS) return false;
		return !this.saves.some(({ process, beganAt }) =>
			this.completeReads.some(
				(read) => read.process === process && read.at <= beganAt && beganAt <= next.at,
			),
		);
	}

	/** Whether the trigger could not be activated after it received something, so that the workflow was not published. */
	isBeforePublishing({ at, process }: Receipt): boolean {
		const failed = eventsOf(this.history, 'activationFailed').find(
			(event) =>
				event.workflow === this.settings.workflow && event.process === process && event.at >= at,
		);
		const isSaved = ({ beganAt, ...save }: EventOf<'saved'>) =>
			save.process === process && beganAt >= at && beganAt <= failed!.at;
		return failed !== undefined && !this.saves.some(isSaved);
	}

	/**
	 * Returns when a process knows a state that it received: with the last request for a start that shows it; infinity if only
	 * another process requested one.
	 */
	knownAt({ at, process }: Receipt, shown: ShownRecord): number {
		const starts = this.starts.get(shown.number) ?? [];
		const keys = new Set(
			starts.filter((start) => isSame(start.shown, shown)).map(({ key }) => key),
		);
		if (keys.size === 0) return at;
		const requests = eventsOf(this.history, 'startRequested').filter(
			(request) => request.process === process && keys.has(request.key),
		);
		return Math.max(at, requests.at(-1)?.at ?? Infinity);
	}

	/** Whether the start of a state was never made: it waited for a batch, or as the most allowed were unconfirmed. */
	isWaiting({ at, process }: Receipt, shown: ShownRecord): boolean {
		const isStarted = this.starts.get(shown.number)?.some((start) => isSame(start.shown, shown));
		const isFull = this.fullTimes.some(
			(full) => full.process === process && full.from <= at + TOLERANCE_MS && full.until > at,
		);
		return (isFull || this.settings.batchesChanges) && !isStarted;
	}

	/** Whether the trigger gave n8n the state to save with a start, and the database had no trace of it when the process ended. */
	isUnsaved({ key, at }: StartedChange): boolean {
		const { history } = this;
		const request = this.requestOf(key, at);
		if (!request) return false;
		const { process } = request;
		const first = eventsOf(history, 'startRequested').find(
			(event) => event.key === key && event.process === process,
		)!;
		const begunSaves = eventsOf(history, 'saveBegan').filter(
			(save) =>
				save.workflow === this.settings.workflow &&
				save.process === process &&
				save.at === first.at,
		);
		const ended = history.findIndex(
			(event) => event.type === 'processEnded' && event.process === process,
		);
		if (begunSaves.length === 0 || ended < 0) return false;
		// A backup can replace the database before the next process starts.
		const next = history.findIndex(({ type }, index) => index > ended && type === 'processStarted');
		const isReplaced = history.slice(ended, next).some(({ type }) => type === 'restored');
		const save = this.lastSaveBefore(isReplaced ? next : ended);
		// Of several saves of one moment, the first may be from before the request.
		return !save || save.beganAt < first.at || (save.beganAt === first.at && begunSaves.length > 1);
	}

	/** Whether a start was requested after a backup was made that replaced the database before a time. */
	isRestored(start: StartedChange, before: number): boolean {
		return eventsOf(this.history, 'restored').some(
			({ copiedAt, at }) => copiedAt <= start.at && start.at <= at && at <= before,
		);
	}

	/** Whether another process lived beside the one that requested a start. */
	isOfTwoProcesses({ key, at }: StartedChange): boolean {
		const request = this.requestOf(key, at);
		return request !== undefined && hasOtherLiveProcess(this.history, request.process);
	}

	/** Returns when n8n first saved the state; after a backup from before that, when it did so again. */
	private firstSaveAt(): number {
		const lost = eventsOf(this.history, 'restored').findLast(
			({ copiedAt }) => !this.saves.some((save) => save.at <= copiedAt),
		);
		return this.saves.find((save) => !lost || save.at >= lost.at)?.beganAt ?? Infinity;
	}

	private requestOf(key: string, at: number): EventOf<'startRequested'> | undefined {
		return eventsOf(this.history, 'startRequested').findLast(
			(event) => event.key === key && event.at <= at,
		);
	}

	/** Returns the save that the database contains at an event. A backup does not contain the saves after its copy. */
	private lastSaveBefore(index: number): EventOf<'saved'> | undefined {
		const before = this.history.slice(0, index);
		const restored = eventsOf(before, 'restored').at(-1);
		return this.saves.findLast(
			(save) =>
				before.includes(save) &&
				(!restored || save.at <= restored.copiedAt || save.at >= restored.at),
		);
	}

	/** Collects the times at which as many starts of a process were unconfirmed as the settings allow. */
	private collectFullTimes(): void {
		const { maxUnconfirmed = Infinity } = this.settings;
		let keys = new Set<string>();
		let full: FullTime | undefined;
		for (const event of this.history) {
			const { at } = event;
			if (isNewTrigger(event)) keys = new Set();
			else if (event.type === 'confirmed') keys.delete(event.key);
			else if (event.type === 'startRequested') keys.add(event.key);
			if (keys.size < maxUnconfirmed && full) {
				full.until = at;
				full = undefined;
			} else if (keys.size >= maxUnconfirmed && !full && event.type === 'startRequested') {
				full = { process: event.process, from: at, until: Infinity };
				this.fullTimes.push(full);
			}
		}
	}

	private collectStarts(): void {
		for (const { key, at, items } of eventsOf(this.history, 'started'))
			for (const { change, shown } of items) {
				const state = shown as ShownRecord;
				if (this.changes.has(state.number))
					addTo(this.starts, state.number, { key, at, kind: String(change), shown: state });
			}
	}
}
