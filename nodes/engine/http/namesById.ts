import type { IDataObject } from 'n8n-workflow';

import type { Client } from './client';
import { readRecords } from './pages';
import type { Paging } from './pages';
import { idOf } from './records';
import { strictReading } from './strictReading';
import type { Request } from './types';

/** Names may be this old. */
export const LOOKUP_TTL_MS = 10 * 60_000;
/** Time between two reads because of unknown IDs. */
const MIN_READ_INTERVAL_MS = 5000;
/** No further read within this time after a failed one, so that a failing list does not delay every poll. */
const READ_INTERVAL_AFTER_FAILURE_MS = 60_000;

/** A list whose records have names. */
export interface NameList {
	request: Request;
	paging: Paging;
	nameOf: (record: IDataObject) => string | undefined;
}

type Names = ReadonlyMap<string, string | undefined>;

/** Reads the names of a list's records by ID. */
export async function readNames(
	client: Client,
	{ request, paging, nameOf }: NameList,
): Promise<Names> {
	const records = await readRecords(client, ...strictReading(request, { paging }));
	return new Map(records.map((record) => [`${idOf(record, paging)}`, nameOf(record)]));
}

/**
 * Names of records by ID, for a trigger. The list is read when a name is needed that is unknown or too old. Names that were
 * read once stay known.
 */
export class NamesById {
	private known: Names = new Map();
	private readAt = -Infinity;
	/** The failure of the last read, and when it failed. */
	private failure: { error: unknown; at: number } | undefined;

	constructor(
		private readonly list: NameList,
		private readonly now: () => number = () => performance.now(),
	) {}

	/** Returns the name of a record, if it is known. */
	get(id: string): string | undefined {
		return this.known.get(id);
	}

	/** Reads the names of these IDs if they are missing or too old. Throws if that failed, also a short time ago. */
	async load(client: Client, ids: readonly string[]): Promise<void> {
		const ageMs = this.now() - this.readAt;
		const isUpToDate = ageMs < LOOKUP_TTL_MS && ids.every((id) => this.known.has(id));
		if (ids.length === 0 || isUpToDate || ageMs < MIN_READ_INTERVAL_MS) return;
		const { failure } = this;
		if (failure && this.now() - failure.at < READ_INTERVAL_AFTER_FAILURE_MS) throw failure.error;
		const read = await readNames(client, this.list).catch((error: unknown) => {
			this.failure = { error, at: this.now() };
			throw error;
		});
		this.readAt = this.now();
		this.failure = undefined;
		// An ID that is not in the list does not cause another read until the names are too old.
		const unlisted = ids.map((id) => [id, undefined] as const);
		this.known = new Map([...unlisted, ...this.known, ...read]);
	}
}
