import { ServiceFailure, toSentence } from '../../engine/errors';
import type { Result } from '../../engine/operation';
import { sent } from '../records';
import { look, sortByArrival, stateOf } from './arrived';
import type { ListState } from './arrived';
import type { Entry } from './entry';

/** After these the list takes nothing more either: wrong key, no such list, too many requests. */
const HOPELESS = [401, 403, 404, 429];

/** Adds contacts to one list, array by array, and notes for each item what became of it. */
export class BulkAdd {
	/** How the list was before the next array; unknown at first and after a lost answer. */
	private before?: ListState;
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
		const { size } = this.first;
		for (let start = 0; start < this.entries.length; start += size) {
			await this.add(this.entries.slice(start, start + size));
		}
	}

	private async add(entries: Entry[]): Promise<void> {
		if (entries.length === 0) return;
		if (this.stoppedBy !== undefined) return this.fail(entries, notSent(this.stoppedBy));
		const { call, request, splits } = this.first;
		try {
			if (splits && entries.length > 1) this.before ??= await look(call, request);
		} catch (error) {
			return this.giveUp(entries, error);
		}
		try {
			const json = entries.map(({ contact }) => contact);
			const answer = await call.send({ ...request, json });
			this.before = stateOf(answer.body);
			this.succeed(entries);
		} catch (error) {
			if (isUncertain(error)) this.settle(entries, error);
			if (!isRefusal(error)) return this.giveUp(entries, error);
			if (entries.length === 1 || !splits) return this.fail(entries, error);
			await this.split(await this.notArrived(entries, error));
		}
	}

	/** Each half again: one with a contact that is not valid is refused and halved in turn. */
	private async split(entries: Entry[]): Promise<void> {
		const half = Math.ceil(entries.length / 2);
		await this.add(entries.slice(0, half));
		await this.add(entries.slice(half));
	}

	/** Those of a refused array that are surely not in the list, and so may be sent again. */
	private async notArrived(entries: Entry[], refusal: ServiceFailure): Promise<Entry[]> {
		const { before, first } = this;
		this.before = undefined;
		try {
			const now = await look(first.call, first.request);
			this.before = now;
			const sorted = await sortByArrival(entries, this.entries, before, now, first);
			this.succeed(sorted.arrived);
			this.doubt(sorted.doubtful, refusal);
			return sorted.absent;
		} catch (error) {
			this.doubt(entries, refusal);
			if (this.ends(error)) this.stoppedBy = error;
			return [];
		}
	}

	private giveUp(entries: Entry[], error: unknown): void {
		this.before = undefined;
		this.fail(entries, error);
		if (this.ends(error)) this.stoppedBy = error;
	}

	/** Whether nothing more should be sent to this list. */
	private ends(error: unknown): boolean {
		if (!this.continueOnFail || !(error instanceof ServiceFailure)) return true;
		return error.code === 'UNREACHABLE' || HOPELESS.includes(error.status ?? 0);
	}

	private succeed(entries: Entry[]): void {
		for (const { call, listId, contact } of entries) {
			const value = sent({ ContactListId: listId, ...contact });
			this.results[call.itemIndex] = { items: [value] };
			call.journal.settle({ value });
		}
	}

	private doubt(entries: Entry[], refusal: ServiceFailure): void {
		const error = doubtful(refusal);
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

const isRefusal = (error: unknown): error is ServiceFailure =>
	error instanceof ServiceFailure && (error.status === 400 || error.status === 422);

function doubtful({ message, status, code }: ServiceFailure): ServiceFailure {
	// The error branch shows the message alone, so that must say it too.
	return new ServiceFailure(`${toSentence(message)} It may have been added anyway.`, {
		status,
		code,
		uncertain: true,
		advice:
			"The service rejected a batch of contacts, and it's unclear whether this contact was added, so it wasn't sent again. Check the list before retrying.",
	});
}

function notSent(reason: unknown): unknown {
	if (!(reason instanceof ServiceFailure)) return reason;
	const { message, status, code, advice } = reason;
	return new ServiceFailure(`This contact wasn't sent because an earlier one failed: ${message}`, {
		status,
		code,
		advice,
	});
}
