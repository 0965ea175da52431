import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../http/client';
import { readRecords } from '../../http/pages';
import type { Paging } from '../../http/pages';
import { idOf } from '../../http/records';
import { strictReading } from '../../http/strictReading';
import type { Request } from '../../http/types';
import { LOOKUP_TTL_MS } from './ownerLookup';
import { rethrowUnlessMissing } from './rethrowUnlessMissing';

/** The list whose records have the names. */
interface NameList {
	request: Request;
	paging: Paging;
	nameOf: (record: IDataObject) => string | undefined;
}

/**
 * Names of the owners of records, such as their events, by ID. The whole list of owners is read when the names are too old
 * and, at most once a round, when a record has an unknown owner.
 */
export class OwnerNames {
	private known = new Map<string, string | undefined>();
	private readAt = -Infinity;
	private wasReadThisRound = false;

	constructor(
		private readonly list: NameList,
		private readonly now: () => number = () => performance.now(),
	) {}

	/** Returns the name of an owner, if it is known. */
	get(id: string): string | undefined {
		return this.known.get(id);
	}

	beginRound(): void {
		this.wasReadThisRound = false;
	}

	/** Reads the list if the names of these IDs are missing or too old. */
	async load(client: Client, ids: string[]): Promise<void> {
		const isFresh = this.now() - this.readAt < LOOKUP_TTL_MS;
		if (this.wasReadThisRound || (isFresh && ids.every((id) => this.known.has(id)))) return;
		this.known = await this.read(client);
		// An ID that is not in the list does not cause another read until the names are too old.
		for (const id of ids) if (!this.known.has(id)) this.known.set(id, undefined);
		this.readAt = this.now();
		this.wasReadThisRound = true;
	}

	private async read(client: Client): Promise<Map<string, string | undefined>> {
		const { request, paging, nameOf } = this.list;
		try {
			const records = await readRecords(client, ...strictReading(request, { paging }));
			return new Map(records.map((record) => [`${idOf(record, paging)}`, nameOf(record)]));
		} catch (error) {
			rethrowUnlessMissing(error);
			return new Map();
		}
	}
}
