import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../engine/http/client';
import { LOOKUP_TTL_MS } from '../../engine/trigger/lists/ownerLookup';
import { lacksTypeName, readTypeNames } from '../typeNames';
import type { TypeNames } from '../typeNames';

/** A start of the workflow waits at most this long for the names, which are optional. */
const READ_LIMIT_MS = 3000;
/** No further read of an event's names within this time, so that a failing lookup does not delay every poll. */
const MIN_READ_INTERVAL_MS = 60_000;

/**
 * Names of the registration types of followed events, for the items that start the workflow. The record itself stays as the
 * service returned it, so that a renamed type does not count as a change. A failed read leaves the names out, or as they were.
 */
export class RegistrationTypeNames {
	private readonly events = new Map<string, { names: TypeNames; readAt: number }>();

	constructor(private readonly now: () => number = () => performance.now()) {}

	/** Reads an event's names if a registration has a type whose name is unknown or too old. Never throws. */
	async load(client: Client, eventId: string, records: IDataObject[]): Promise<void> {
		const cachedEvent = this.events.get(eventId);
		const ageMs = this.now() - (cachedEvent?.readAt ?? -Infinity);
		const isMissing = records.some(
			(record) => lacksTypeName(record) && !this.fieldsOf(eventId, record),
		);
		const isTooOld = ageMs >= LOOKUP_TTL_MS && records.some(lacksTypeName);
		if (ageMs < MIN_READ_INTERVAL_MS || !(isMissing || isTooOld)) return;
		// Does not wait for a rate limit either, because the lists of all events share the limit.
		const limits = { maxAttempts: 1, maxRetryDelayMs: 0, timeoutMs: READ_LIMIT_MS };
		const read = await readTypeNames(eventId, client.with(limits)).catch(() => []);
		// Known names stay: an empty or unrecognized list must not remove them.
		const names = new Map([...(cachedEvent?.names ?? []), ...read]);
		this.events.set(eventId, { names, readAt: this.now() });
	}

	/**
	 * Returns the output field with the name of a registration's type; undefined if the name is unknown or already in the
	 * record.
	 */
	fieldsOf(eventId: string, record: IDataObject): { RegistrationType: string } | undefined {
		if (!lacksTypeName(record)) return undefined;
		const name = this.events.get(eventId)?.names.get(`${record.RegistrationTypeId}`);
		return name ? { RegistrationType: name } : undefined;
	}
}
