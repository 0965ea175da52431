import { ServiceFailure, toSentence } from '../../engine/errors';
import type { ItemResult } from '../../engine/operation';
import { sentOutput } from '../records';
import type { ContactToAdd } from './contactToAdd';
import { partitionByAdded } from './listGrowth';
import { listVersionIn, readListVersion } from './listVersion';
import type { ListVersion } from './listVersion';

/** Statuses after which further requests for the list would fail too: rejected key, no such list, too many requests. */
const FATAL_STATUSES = [401, 403, 404, 429];

/** Whether further requests for the list would fail for the same reason. */
export const isFatal = (error: unknown): boolean =>
	!(error instanceof ServiceFailure) ||
	error.code === 'UNREACHABLE' ||
	FATAL_STATUSES.includes(error.status ?? 0);

/** Adds contacts to one list in batches, and sets the result of each item. */
export class BulkAdd {
	/** Version of the list before the next batch; undefined until it is read, and after a failed request. */
	private listBefore?: ListVersion;
	/** The error that stopped sending to this list. */
	private stoppedBy?: unknown;
	/** Errors of requests that failed before contacts were sent. None of these contacts was added. */
	readonly errorsBeforeSend = new Set<unknown>();
	/** The first item sets the request, batch size and splitting for the whole list. */
	private readonly first: ContactToAdd;

	constructor(
		private readonly entries: ContactToAdd[],
		private readonly results: ItemResult[],
		/** Whether an error stops sending to this list. */
		private readonly stopsAfter: (error: unknown) => boolean,
	) {
		this.first = entries[0]!;
	}

	async run(): Promise<void> {
		const { batchSize } = this.first;
		for (let start = 0; start < this.entries.length; start += batchSize) {
			await this.add(this.entries.slice(start, start + batchSize));
		}
	}

	private async add(entries: ContactToAdd[]): Promise<void> {
		if (entries.length === 0) return;
		if (this.stoppedBy !== undefined) return this.fail(entries, notSentFailure(this.stoppedBy));
		const { call, request, splitsRejected } = this.first;
		try {
			if (splitsRejected && entries.length > 1)
				this.listBefore ??= await readListVersion(call, request);
		} catch (error) {
			this.errorsBeforeSend.add(error);
			return this.giveUp(entries, error);
		}
		try {
			const json = entries.map(({ contact }) => contact);
			const response = await call.send({ ...request, json });
			const version = listVersionIn(response);
			const isComplete = version.count !== undefined && version.updated !== '';
			this.listBefore = isComplete ? version : undefined;
			this.succeed(entries);
		} catch (error) {
			if (isUncertain(error)) this.settle(entries, error);
			if (!isRejection(error)) return this.giveUp(entries, error);
			if (entries.length === 1 || !splitsRejected) return this.fail(entries, error);
			await this.split(await this.findNotAdded(entries, error));
		}
	}

	/** Sends each half again. A half with an invalid contact is rejected and split again. */
	private async split(entries: ContactToAdd[]): Promise<void> {
		const middle = Math.ceil(entries.length / 2);
		await this.add(entries.slice(0, middle));
		await this.add(entries.slice(middle));
	}

	/** Returns the contacts of a rejected batch that are proven not to be in the list, so that they can be sent again. */
	private async findNotAdded(
		entries: ContactToAdd[],
		rejection: ServiceFailure,
	): Promise<ContactToAdd[]> {
		const { listBefore, first } = this;
		this.listBefore = undefined;
		try {
			const listNow = await readListVersion(first.call, first.request);
			this.listBefore = listNow;
			const partition = await partitionByAdded(entries, this.entries, listBefore, listNow, first);
			this.succeed(partition.added);
			this.markUncertain(partition.uncertain, rejection);
			return partition.notAdded;
		} catch (error) {
			this.markUncertain(entries, rejection);
			if (this.stopsAfter(error)) this.stoppedBy = error;
			return [];
		}
	}

	private giveUp(entries: ContactToAdd[], error: unknown): void {
		this.listBefore = undefined;
		this.fail(entries, error);
		if (this.stopsAfter(error)) this.stoppedBy = error;
	}

	private succeed(entries: ContactToAdd[]): void {
		for (const { call, listId, contact } of entries) {
			const value = sentOutput({ ContactListId: listId, ...contact });
			this.results[call.itemIndex] = { items: [value] };
			call.journal.settle({ value });
		}
	}

	private markUncertain(entries: ContactToAdd[], rejection: ServiceFailure): void {
		const error = uncertainFailure(rejection);
		this.settle(entries, error);
		this.fail(entries, error);
	}

	/** Settles the journal, so that a retry (Retry On Fail) does not send contacts that may have been added. */
	private settle(entries: ContactToAdd[], error: unknown): void {
		for (const { call } of entries) call.journal.settle({ error });
	}

	fail(entries: ContactToAdd[], error: unknown): void {
		for (const { call } of entries) this.results[call.itemIndex] = { error };
	}
}

export const isUncertain = (error: unknown): error is ServiceFailure =>
	error instanceof ServiceFailure && error.uncertain;

const isRejection = (error: unknown): error is ServiceFailure =>
	error instanceof ServiceFailure && (error.status === 400 || error.status === 422);

function uncertainFailure(failure: ServiceFailure): ServiceFailure {
	// Workflows often read only 'error' of a failed item and not 'details', which has the advice. The message therefore
	// states the advice, too.
	return failure.with({
		message: `${toSentence(failure.message)} It may have been added anyway.`,
		uncertain: true,
		advice:
			"The service rejected a batch of contacts, and it's unclear whether this contact was added, so it wasn't sent again. Check the list before retrying.",
	});
}

export function notSentFailure(reason: unknown): unknown {
	if (!(reason instanceof ServiceFailure)) return reason;
	const message = `This contact wasn't sent because an earlier one failed: ${reason.message}`;
	return reason.with({ message, uncertain: false });
}
