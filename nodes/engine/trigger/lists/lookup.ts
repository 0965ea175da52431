import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../http/client';
import { dateOf } from '../../http/date';
import { recordsOf } from '../../http/records';
import type { Kind } from '../../http/records';
import { rethrowUnlessMissing } from './missing';
import { strictRequest } from './strictRequest';

/** For so long what was looked up is good enough: it is there for its name. */
export const LOOKUP_TTL_MS = 10 * 60_000;

/** What came of looking a record up. */
export interface LookupResult {
	/** The record, or what was known of it before it was gone. */
	record?: IDataObject;
	/** Whether the service does not know it, or not any more. */
	gone: boolean;
}

/** Looks up the record that a list belongs to, such as its event, from time to time. */
export class RecordLookup {
	private readonly cache = new Map<string, { record?: IDataObject; at: number }>();

	constructor(
		/** Where a record is, with its ID as `{id}`. */
		private readonly path: string,
		private readonly kind: Kind,
		private readonly now: () => number = () => performance.now(),
	) {}

	/** The record by its ID; says when the service answered, if it was asked. */
	async get(
		client: Client,
		id: string,
		onDate: (date: number | undefined) => void,
	): Promise<LookupResult> {
		const cached = this.cache.get(id);
		if (cached && this.now() - cached.at < LOOKUP_TTL_MS)
			return { record: cached.record, gone: false };
		try {
			const { path, kind } = this;
			const request = { method: 'GET', path, params: { id }, repeatable: true } as const;
			const answer = await client.send(strictRequest(request, kind));
			onDate(dateOf(answer));
			const record = recordsOf(answer.body, kind)[0];
			this.cache.set(id, { record, at: this.now() });
			return { record, gone: false };
		} catch (error) {
			rethrowUnlessMissing(error);
			return { record: cached?.record, gone: true };
		}
	}
}
