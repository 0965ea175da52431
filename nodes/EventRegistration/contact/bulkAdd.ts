import type { IDataObject } from 'n8n-workflow';

import { sentence, ServiceFailure } from '../../engine/errors';
import type { Call, Result } from '../../engine/operation';
import type { Request } from '../../engine/http/types';
import { withNamedFields } from '../records';
import { look, stateOf, takenFrom } from './arrived';
import type { ListState } from './arrived';

/** One contact to add, and the item that it comes from. */
export interface Entry {
	call: Call;
	listId: string;
	contact: IDataObject;
}

/** After these the list takes nothing more either: wrong key, no such list, too many requests. */
const HOPELESS = [401, 403, 404, 429];

/** Adds contacts to one list, array by array, and notes for each item what became of it. */
export class Filling {
	/** How the list was before the next array; unknown at first and after a lost answer. */
	private before?: ListState;
	private stoppedBy?: unknown;
	private readonly call: Call;
	private readonly splits: boolean;
	private readonly size: number;
	private readonly request: Request;

	constructor(
		private readonly entries: Entry[],
		private readonly results: Result[],
		private readonly continueOnFail: boolean,
	) {
		const { call, listId } = entries[0]!;
		this.call = call;
		this.splits = call.option('findRefused', true) !== false;
		const size = Math.floor(Number(call.option('contactsPerRequest', 100)));
		this.size = size >= 1 ? Math.min(size, 1000) : 100;
		this.request = {
			...call.operation.request!,
			params: { contactListId: listId },
			labels: { contactListId: 'Contact List' },
		} as Request;
	}

	/** Sends all of them, one array after the other. */
	async run(): Promise<void> {
		for (let start = 0; start < this.entries.length; start += this.size) {
			await this.add(this.entries.slice(start, start + this.size));
		}
	}

	private async add(entries: Entry[]): Promise<void> {
		if (entries.length === 0) return;
		if (this.stoppedBy !== undefined) return this.fail(entries, notSent(this.stoppedBy));
		try {
			if (this.splits && entries.length > 1) this.before ??= await look(this.call, this.request);
		} catch (error) {
			return this.giveUp(entries, error);
		}
		try {
			const json = entries.map(({ contact }) => contact);
			const answer = await this.call.send({ ...this.request, json });
			this.before = stateOf(answer.body);
			this.succeed(entries);
		} catch (error) {
			if (!isRefusal(error)) return this.giveUp(entries, error);
			if (entries.length === 1 || !this.splits) return this.fail(entries, error);
			await this.split(await this.notTaken(entries, error));
		}
	}

	/** Each half again: one with a contact that is not valid is refused and halved in turn. */
	private async split(entries: Entry[]): Promise<void> {
		const half = Math.ceil(entries.length / 2);
		await this.add(entries.slice(0, half));
		await this.add(entries.slice(half));
	}

	/** Those of a refused array that are surely not in the list, and so may be sent again. */
	private async notTaken(entries: Entry[], refusal: ServiceFailure): Promise<Entry[]> {
		const { before } = this;
		this.before = undefined;
		try {
			const now = await look(this.call, this.request);
			this.before = now;
			const sorted = await takenFrom(entries, this.entries, before, now, this.call, this.request);
			this.succeed(sorted.taken);
			this.fail(sorted.doubtful, doubtful(refusal));
			return sorted.left;
		} catch (error) {
			this.fail(entries, doubtful(refusal));
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
			const item = withNamedFields({ success: true, ContactListId: listId, ...contact });
			this.results[call.itemIndex] = { items: [item] };
		}
	}

	private fail(entries: Entry[], error: unknown): void {
		for (const { call } of entries) this.results[call.itemIndex] = { error };
	}
}

const isRefusal = (error: unknown): error is ServiceFailure =>
	error instanceof ServiceFailure && (error.status === 400 || error.status === 422);

function doubtful({ message, status, code }: ServiceFailure): ServiceFailure {
	// The error branch shows the message alone, so that must say it too.
	return new ServiceFailure(`${sentence(message)} It may have been added all the same.`, {
		status,
		code,
		uncertain: true,
		advice:
			'The service refused a request with several contacts, and it cannot be told whether it added this one all the same, so it was not sent again: look into the list before you repeat it.',
	});
}

function notSent(reason: unknown): unknown {
	if (!(reason instanceof ServiceFailure)) return reason;
	const { message, status, code, advice } = reason;
	return new ServiceFailure(`This contact was not sent, since an earlier one failed: ${message}`, {
		status,
		code,
		advice,
	});
}
