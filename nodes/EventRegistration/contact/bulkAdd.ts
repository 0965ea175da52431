import { ServiceFailure, toSentence } from '../../engine/errors';
import type { Result } from '../../engine/operation';
import { sentOutput } from '../records';
import { readListState, sortByArrival, listStateOf } from './arrived';
import type { ListState } from './arrived';
import type { Entry } from './entry';

/** After these the list takes nothing more either: wrong key, no such list, too many requests. */
const FATAL_STATUSES = [401, 403, 404, 429];

/** Adds contacts to one list, array by array, and notes for each item what became of it. */
export class BulkAdd {
	/** How the list was before the next array; unknown at first and after a lost answer. */
	private stateBefore?: ListState;
	/** What the first item says of sending holds for all of the list. */
	private readonly first: Entry;

	constructor(
		private readonly entries: Entry[],
		private readonly results: Result[],
		private readonly continueOnFail: boolean,
		/** Why nothing more is sent to this list, if so; at first, the failure of an earlier try that ends the run. */
		private stoppedBy?: unknown,
	) {
		this.first = entries[0]!;
	}

	/** Sends all of them, one array after the other. */
	async run(): Promise<void> {
		const { batchSize } = this.first;
		for (let start = 0; start < this.entries.length; start += batchSize) {
			await this.add(this.entries.slice(start, start + batchSize));
		}
	}

	private async add(entries: Entry[]): Promise<void> {
		if (entries.length === 0) return;
		if (this.stoppedBy !== undefined) return this.fail(entries, notSentFailure(this.stoppedBy));
		const { call, request, splitsRejected } = this.first;
		try {
			if (splitsRejected && entries.length > 1)
				this.stateBefore ??= await readListState(call, request);
		} catch (error) {
			return this.giveUp(entries, error);
		}
		try {
			const json = entries.map(({ contact }) => contact);
			const answer = await call.send({ ...request, json });
			this.stateBefore = listStateOf(answer.body);
			this.succeed(entries);
		} catch (error) {
			if (isUncertain(error)) this.settle(entries, error);
			if (!isRejection(error)) return this.giveUp(entries, error);
			if (entries.length === 1 || !splitsRejected) return this.fail(entries, error);
			await this.split(await this.findNotAdded(entries, error));
		}
	}

	/** Each half again: one with a contact that is not valid is refused and halved in turn. */
	private async split(entries: Entry[]): Promise<void> {
		const half = Math.ceil(entries.length / 2);
		await this.add(entries.slice(0, half));
		await this.add(entries.slice(half));
	}

	/** Those of a refused array that are surely not in the list, and so may be sent again. */
	private async findNotAdded(entries: Entry[], rejection: ServiceFailure): Promise<Entry[]> {
		const { stateBefore, first } = this;
		this.stateBefore = undefined;
		try {
			const now = await readListState(first.call, first.request);
			this.stateBefore = now;
			const sorted = await sortByArrival(entries, this.entries, stateBefore, now, first);
			this.succeed(sorted.added);
			this.markUncertain(sorted.uncertain, rejection);
			return sorted.notAdded;
		} catch (error) {
			this.markUncertain(entries, rejection);
			if (this.isFatal(error)) this.stoppedBy = error;
			return [];
		}
	}

	private giveUp(entries: Entry[], error: unknown): void {
		this.stateBefore = undefined;
		this.fail(entries, error);
		if (this.isFatal(error)) this.stoppedBy = error;
	}

	/** Whether nothing more should be sent to this list. */
	private isFatal(error: unknown): boolean {
		if (!this.continueOnFail || !(error instanceof ServiceFailure)) return true;
		return error.code === 'UNREACHABLE' || FATAL_STATUSES.includes(error.status ?? 0);
	}

	private succeed(entries: Entry[]): void {
		for (const { call, listId, contact } of entries) {
			const value = sentOutput({ ContactListId: listId, ...contact });
			this.results[call.itemIndex] = { items: [value] };
			call.journal.settle({ value });
		}
	}

	private markUncertain(entries: Entry[], rejection: ServiceFailure): void {
		const error = uncertainFailure(rejection);
		this.settle(entries, error);
		this.fail(entries, error);
	}

	/** Keeps a repeated run from sending contacts that may have been added. */
	private settle(entries: Entry[], error: unknown): void {
		for (const { call } of entries) call.journal.settle({ error });
	}

	private fail(entries: Entry[], error: unknown): void {
		for (const { call } of entries) this.results[call.itemIndex] = { error };
	}
}

const isUncertain = (error: unknown) => error instanceof ServiceFailure && error.uncertain;

const isRejection = (error: unknown): error is ServiceFailure =>
	error instanceof ServiceFailure && (error.status === 400 || error.status === 422);

function uncertainFailure({ message, status, code }: ServiceFailure): ServiceFailure {
	// The error branch shows the message alone, so that must say it too.
	return new ServiceFailure(`${toSentence(message)} It may have been added anyway.`, {
		status,
		code,
		uncertain: true,
		advice:
			"The service rejected a batch of contacts, and it's unclear whether this contact was added, so it wasn't sent again. Check the list before retrying.",
	});
}

function notSentFailure(reason: unknown): unknown {
	if (!(reason instanceof ServiceFailure)) return reason;
	const { message, status, code, advice } = reason;
	return new ServiceFailure(`This contact wasn't sent because an earlier one failed: ${message}`, {
		status,
		code,
		advice,
	});
}
