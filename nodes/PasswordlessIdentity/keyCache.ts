import { deepCopy } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceResponse } from '../engine/http/types';
import { perProcess } from '../engine/n8n/perProcess';

/** Result of a lookup: the record, the service's statement that the key is unknown or revoked, or the record of another key than the requested one. */
export type KeyLookupResult =
	{ record: IDataObject } | { absent: ServiceResponse } | { otherRecord: IDataObject };

export interface LookupOptions {
	/** `accountKey` of the connection: credentials that differ in address, certificate checks or anything else share no records. */
	accountKey?: string;
	/** Whether to fetch the record even if it is cached. */
	skipCache?: boolean;
	/** Ends the wait for the response. If this caller sends the request, another waiting caller sends it again. */
	signal?: AbortSignal;
	/** Version of the pack and retry settings. Only lookups with the same value share a request, and so its failure. */
	sharingKey?: string;
}

interface PendingLookup {
	result: Promise<KeyLookupResult>;
	/** Signal of the caller that sends the request. */
	signal?: AbortSignal;
}

const TTL_MS = 5 * 60_000;
const MAX_ENTRIES = 1000;

/**
 * Cache of key records by base address, fingerprint and credential. Keeps a record for five minutes, and at most a thousand
 * records. Concurrent lookups of the same key with the same credential share one request. If a key is dropped during its
 * lookup, the response is neither cached nor shared with later callers, because it may predate the change. Callers get
 * copies: a workflow that changes a record must not change the key that tokens are verified with.
 */
export class KeyCache {
	private readonly entries = new Map<string, { record: IDataObject; expiresAt: number }>();
	private readonly pending = new Map<string, PendingLookup>();

	constructor(private readonly now: () => number = () => Date.now()) {}

	/** Returns the cached record or fetches it. Failures are not cached; an unknown or revoked key is dropped for all credentials. */
	async getOrFetch(
		baseUrl: string,
		fingerprint: string,
		fetch: () => Promise<KeyLookupResult>,
		{ accountKey = '', skipCache = false, signal, sharingKey = '' }: LookupOptions = {},
	): Promise<KeyLookupResult> {
		const cacheKey = `${keyPrefix(baseUrl, fingerprint)}${accountKey}`;
		const lookupKey = `${cacheKey} ${sharingKey}`;
		if (skipCache) this.detach(`${cacheKey} `);
		for (;;) {
			const cachedEntry = this.entries.get(cacheKey);
			if (!skipCache && cachedEntry && cachedEntry.expiresAt > this.now())
				return copyResult(cachedEntry);
			const lookup = this.pending.get(lookupKey);
			if (!lookup) break;
			const result = await waitOrAbort(lookup.result, signal).catch(retryIfAborted(lookup, signal));
			if (result) return copyResult(result);
		}
		const fetchOrDrop = async () => {
			const result = await fetch();
			if ('absent' in result) this.drop(baseUrl, fingerprint);
			return result;
		};
		return copyResult(await this.startLookup(lookupKey, cacheKey, fetchOrDrop, signal));
	}

	private async startLookup(
		lookupKey: string,
		cacheKey: string,
		fetch: () => Promise<KeyLookupResult>,
		signal?: AbortSignal,
	): Promise<KeyLookupResult> {
		const isCurrent = () => this.pending.get(lookupKey) === lookup;
		const fetchAndStore = async () => {
			try {
				const result = await fetch();
				if ('record' in result && isCurrent()) this.store(cacheKey, result.record);
				return result;
			} finally {
				if (isCurrent()) this.pending.delete(lookupKey);
			}
		};
		// Deferred until the lookup is in `pending`: the request may succeed or be aborted synchronously.
		const lookup: PendingLookup = { result: Promise.resolve().then(fetchAndStore), signal };
		this.pending.set(lookupKey, lookup);
		return await lookup.result;
	}

	/** Drops one key, or all keys of a service if the changed one is unknown, for all credentials. */
	drop(baseUrl: string, fingerprint?: string): void {
		const prefix = keyPrefix(baseUrl, fingerprint);
		for (const key of this.entries.keys()) if (key.startsWith(prefix)) this.entries.delete(key);
		this.detach(prefix);
	}

	/** Detaches pending lookups: later callers do not join them, and their responses are not cached. */
	private detach(prefix: string): void {
		for (const key of this.pending.keys()) if (key.startsWith(prefix)) this.pending.delete(key);
	}

	/** Number of cached records, including expired ones. */
	get size(): number {
		return this.entries.size;
	}

	private store(cacheKey: string, record: IDataObject): void {
		this.entries.delete(cacheKey);
		if (this.entries.size >= MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value!);
		this.entries.set(cacheKey, { record: deepCopy(record), expiresAt: this.now() + TTL_MS });
	}
}

const copyResult = (result: KeyLookupResult): KeyLookupResult =>
	'record' in result ? { record: deepCopy(result.record) } : result;

/** Waits for another caller's request, or rejects when the signal aborts. */
async function waitOrAbort<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await work;
	signal.throwIfAborted();
	// A derived signal: Node.js warns of a leak if many callers add listeners to one signal.
	const ownSignal = AbortSignal.any([signal]);
	let stop: () => void = () => undefined;
	const aborted = new Promise<never>((_, reject) => {
		stop = () => reject(ownSignal.reason);
		ownSignal.addEventListener('abort', stop);
	});
	return await Promise.race([work, aborted]).finally(() =>
		ownSignal.removeEventListener('abort', stop),
	);
}

/**
 * Rethrows the error of a shared lookup. Returns undefined, so that the caller tries again, if the request was aborted by the
 * caller that sent it and this caller was not aborted.
 */
const retryIfAborted = (lookup: PendingLookup, signal?: AbortSignal) => (error: unknown) => {
	if (lookup.signal?.aborted && !signal?.aborted) return undefined;
	throw error;
};

// Neither base addresses nor fingerprints contain a space, so no two services or keys share a prefix.
const keyPrefix = (baseUrl: string, fingerprint?: string) =>
	fingerprint === undefined ? `${baseUrl} ` : `${baseUrl} ${fingerprint} `;

/** The cache that all loaded versions of the pack share in this process. */
export const keyCache = perProcess('identity keys 3', () => new KeyCache());
