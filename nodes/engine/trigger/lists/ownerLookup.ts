import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../http/client';
import { dateOf } from '../../http/date';
import { LOOKUP_TTL_MS } from '../../http/namesById';
import { toPathSegment } from '../../http/path';
import { recordsOf } from '../../http/records';
import type { RecordKind } from '../../http/records';
import { isStrict } from '../../http/strictReading';
import { rethrowUnlessMissing } from './rethrowUnlessMissing';

/** Result of looking up a record. */
export interface LookupResult {
	/** The record; if it is gone, the last version that was read. */
	record?: IDataObject;
	/** Whether the service does not know the record. */
	isGone: boolean;
	/** The response's Date header, unless the record came from the cache. */
	date?: number;
}

/** Looks up the owner of a list, such as its event, with a cache. */
export class OwnerLookup {
	private readonly cache = new Map<string, { record?: IDataObject; at: number }>();

	constructor(
		/**
		 * Path template of a record, with the service's name for its ID in braces. The operations use the same template, and
		 * requests with the same template share pauses.
		 */
		private readonly path: string,
		private readonly kind: RecordKind,
		private readonly now: () => number = () => performance.now(),
	) {}

	async get(client: Client, id: string): Promise<LookupResult> {
		const cached = this.cache.get(id);
		if (cached && this.now() - cached.at < LOOKUP_TTL_MS)
			return { record: cached.record, isGone: false };
		try {
			const { path, kind } = this;
			const idParameter = /\{(\w+)\}/.exec(path)![1]!;
			const request = {
				method: 'GET',
				path,
				params: { [idParameter]: toPathSegment('ID', id) },
				idempotent: true,
				isRecognized: isStrict(kind),
			} as const;
			const response = await client.send(request);
			const record = recordsOf(response.body, kind)[0];
			this.cache.set(id, { record, at: this.now() });
			return { record, isGone: false, date: dateOf(response) };
		} catch (error) {
			rethrowUnlessMissing(error);
			return { record: cached?.record, isGone: true };
		}
	}
}
