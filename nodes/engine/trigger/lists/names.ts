import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../http/client';
import { readRecords } from '../../http/pages';
import type { Paging } from '../../http/pages';
import { idOf } from '../../http/records';
import type { Request } from '../../http/types';
import { LOOKUP_TTL_MS } from './lookup';
import { rethrowUnlessMissing } from './missing';
import { strictRequest } from './strictRequest';

/** A list to read names from. */
interface NameList {
	request: Request;
	paging: Paging;
	nameOf: (record: IDataObject) => string | undefined;
}

/**
 * What the records are called that others belong to, such as their events: the whole list is read from time to time, and once
 * a round at most when somebody turns up who is not in it.
 */
export class RecordNames {
	private known = new Map<string, string | undefined>();
	private readAt = -Infinity;
	private wasReadThisRound = false;

	constructor(
		private readonly list: NameList,
		private readonly now: () => number = () => performance.now(),
	) {}

	/** The name by the ID, as far as it is known. */
	get(id: string): string | undefined {
		return this.known.get(id);
	}

	/** Begins a round. */
	beginRound(): void {
		this.wasReadThisRound = false;
	}

	/** Sees to it that these names are known, as far as the list has them. */
	async learn(client: Client, ids: string[]): Promise<void> {
		const isFresh = this.now() - this.readAt < LOOKUP_TTL_MS;
		if (this.wasReadThisRound || (isFresh && ids.every((id) => this.known.has(id)))) return;
		this.known = await this.read(client);
		// Whoever is not in the list is not looked for again until it is read anew.
		for (const id of ids) if (!this.known.has(id)) this.known.set(id, undefined);
		this.readAt = this.now();
		this.wasReadThisRound = true;
	}

	private async read(client: Client): Promise<Map<string, string | undefined>> {
		const { request, paging, nameOf } = this.list;
		try {
			const records = await readRecords(client, strictRequest(request, paging), { paging });
			return new Map(records.map((record) => [`${idOf(record, paging)}`, nameOf(record)]));
		} catch (error) {
			rethrowUnlessMissing(error);
			return new Map();
		}
	}
}
