import { addToGroup } from '../../../values/groupBy';
import type { Clock } from '../../../watch';
import { Starts } from '../../../watch/starts';
import type { StartRequest } from '../../../watch/starts';
import { startKeyOf } from './digest';
import type { SavedStart } from './listSnapshot';
import type { FollowHooks, FollowOptions, ListDefinition, RecordChange } from './types';

/** Of how many records a batch contains changes at most. */
const MAX_BATCH_RECORDS = 1000;
/** At most this many saved starts are restored, the most recent ones. Expired starts count, too. */
const MAX_RESTORED_STARTS = 1000;

/** A change that has to start the workflow. */
export interface WantedChange<Followed extends ListDefinition> {
	key: string;
	change: RecordChange<Followed>;
	/** Must be called when n8n confirms the start. Lets the saved cursor pass the change. */
	markConfirmed(): void;
}

/** A start from before the last restart, and the kind of the change for which it was requested. */
export interface RestoredChange {
	key: string;
	kind: string;
}

/** The changes of one record, whose starts are requested in the same event-loop turn. */
interface WantedRecord<Followed extends ListDefinition> {
	wantedChanges: Array<WantedChange<Followed>>;
	/**
	 * Adds the record's new state to the known records. Must be called in that turn: n8n may save at any moment, and the
	 * snapshot must hold both the new state and the starts, or neither.
	 */
	markRequested(): void;
}

/** What follows from a record that was read. */
export interface ProcessedRecord<Followed extends ListDefinition> {
	/**
	 * Changes of starts from before the last restart, by the key of the start. `wantedChange` is missing if the change no
	 * longer holds.
	 */
	repeated: Array<{ key: string; wantedChange?: WantedChange<Followed> }>;
	wanted?: WantedRecord<Followed>;
	/** Whether the record's contents differ from the known state, or the record was unknown. */
	isChanged: boolean;
}

/** Changes that start the workflow once. */
interface OutgoingStart<Followed extends ListDefinition> extends Pick<
	StartRequest<unknown>,
	'key' | 'markRequested' | 'isContinuation'
> {
	wantedChanges: Array<WantedChange<Followed>>;
}

/** An unconfirmed start from before the last restart. */
interface RestoredStart<Followed extends ListDefinition> {
	/** The list of each change whose record was not read again yet. */
	unreadLists: string[];
	/** The changes whose records were read again and that still hold. */
	wantedChanges: Array<WantedChange<Followed>>;
}

type Hooks<Followed extends ListDefinition> = Pick<
	FollowHooks<Followed>,
	'emit' | 'save' | 'report' | 'sleep'
> & { clock: Clock };

/**
 * Outbox between the lists and n8n: requests one start per change, or one for all changes of a round.
 *
 * The starts that were requested before the last restart and never confirmed are saved without their records. Each is
 * requested again unchanged, with the same key, once all of its records were read again. Later changes of those records are
 * separate starts.
 */
export class Outbox<Followed extends ListDefinition> {
	private readonly starts: Starts<SavedStart['changes']>;
	private readonly restored = new Map<string, RestoredStart<Followed>>();
	private readonly restoredByRecord = new Map<string, RestoredChange[]>();
	/** Changes that wait for the end of the round. */
	private batch: Array<WantedRecord<Followed>> = [];

	constructor(
		private readonly hooks: Hooks<Followed>,
		private readonly options: Pick<
			FollowOptions,
			'batchesChanges' | 'maxUnconfirmed' | 'repeatStartsForMs'
		>,
		savedStarts: SavedStart[] = [],
	) {
		const reportRejection = (message: string) => hooks.report({ kind: 'startsRejected', message });
		this.starts = new Starts({ ...hooks, reportRejection }, options);
		const restoredStarts = savedStarts.slice(-MAX_RESTORED_STARTS);
		for (const { key, changes, requestedAt, expired } of restoredStarts) {
			this.starts.restore({ key, cause: changes, requestedAt, isExpired: expired === true });
			const unreadLists = changes.map(([listKey]) => listKey);
			this.restored.set(key, { unreadLists, wantedChanges: [] });
			for (const [listKey, kind, id] of changes)
				addToGroup(this.restoredByRecord, recordKey(listKey, id), { key, kind });
		}
	}

	toSaved(): SavedStart[] {
		return this.starts.all().map(({ key, cause, requestedAt, isExpired }) => ({
			key,
			changes: cause,
			requestedAt,
			...(isExpired && { expired: true }),
		}));
	}

	/** Reports expired starts, each once. */
	reportExpired(): void {
		const ids = this.starts
			.takeExpired()
			.flatMap((changes) => [...new Set(changes.map(([, , id]) => id))]);
		if (ids.length > 0) this.hooks.report({ kind: 'startsUnclear', ids });
	}

	/** Returns the changes of a record that was read again, for which starts were requested before the last restart; once. */
	readonly takeRestored = (listKey: string, id: string): RestoredChange[] => {
		const key = recordKey(listKey, id);
		const changes = this.restoredByRecord.get(key) ?? [];
		this.restoredByRecord.delete(key);
		return changes;
	};

	/** Adds the changes of a list's records. Resolves when the outbox has room for more. */
	async add(
		listKey: string,
		processed: Array<ProcessedRecord<Followed>>,
		signal: AbortSignal,
	): Promise<void> {
		const starts: Array<OutgoingStart<Followed>> = [];
		for (const { repeated, wanted } of processed) {
			for (const { key, wantedChange } of repeated)
				starts.push(...this.repeat(key, listKey, wantedChange));
			if (wanted && this.options.batchesChanges) this.batch.push(wanted);
			else if (wanted) starts.push(...startsOfRecord(wanted));
		}
		await this.send(starts, signal);
		while (this.batch.length >= MAX_BATCH_RECORDS) await this.sendBatch(signal);
	}

	/**
	 * Ends a round: sends the restored starts that stay incomplete, because their lists were read to the end without the
	 * missing records, and then the batch.
	 */
	async flushRound(isDone: (listKey: string) => boolean, signal: AbortSignal): Promise<void> {
		const incomplete = [...this.restored].flatMap(([key, { unreadLists, wantedChanges }]) =>
			wantedChanges.length > 0 && unreadLists.every(isDone) ? [{ key, wantedChanges }] : [],
		);
		for (const { key } of incomplete) this.restored.delete(key);
		await this.send(incomplete, signal);
		await this.sendBatch(signal);
	}

	/** Notes that a record of a restored start was read again. Returns the start once it is complete. */
	private repeat(
		key: string,
		listKey: string,
		wantedChange: WantedChange<Followed> | undefined,
	): Array<OutgoingStart<Followed>> {
		const restored = this.restored.get(key);
		const wanted = wantedChange ? [wantedChange] : [];
		// The start was sent without this change (see `flushRound`). A second execution is better than a lost change.
		if (!restored)
			return wanted.map((one) => ({ key: startKeyOf(key, one.key), wantedChanges: [one] }));
		const { unreadLists, wantedChanges } = restored;
		unreadLists.splice(unreadLists.indexOf(listKey), 1);
		wantedChanges.push(...wanted);
		if (unreadLists.length > 0) return [];
		this.restored.delete(key);
		if (wantedChanges.length > 0) return [{ key, wantedChanges }];
		this.starts.remove(key);
		return [];
	}

	private async sendBatch(signal: AbortSignal): Promise<void> {
		const records = this.batch.splice(0, MAX_BATCH_RECORDS);
		if (records.length === 0) return;
		const wantedChanges = records.flatMap((one) => one.wantedChanges);
		const key = startKeyOf(...wantedChanges.map((one) => one.key));
		const markRequested = () => records.forEach((one) => one.markRequested());
		await this.send([{ key, wantedChanges, markRequested }], signal);
	}

	private async send(starts: Array<OutgoingStart<Followed>>, signal: AbortSignal): Promise<void> {
		const requests = starts.map(({ wantedChanges, ...start }) => {
			const changes = wantedChanges.map(({ change }) => change);
			return {
				...start,
				cause: changes.map(({ list, kind, id }): SavedStart['changes'][0] => [list.key, kind, id]),
				emit: async () => await this.hooks.emit({ key: start.key, changes }),
				markConfirmed: () => wantedChanges.forEach((one) => one.markConfirmed()),
			};
		});
		const sending = this.starts.request(requests, signal);
		this.reportExpired();
		await sending;
	}
}

/** Returns one start for each change of a record. */
const startsOfRecord = <Followed extends ListDefinition>({
	wantedChanges,
	markRequested,
}: WantedRecord<Followed>): Array<OutgoingStart<Followed>> =>
	wantedChanges.map((one, index) => ({
		key: one.key,
		wantedChanges: [one],
		...(index === 0 ? { markRequested } : { isContinuation: true }),
	}));

const recordKey = (listKey: string, id: string) => JSON.stringify([listKey, id]);
