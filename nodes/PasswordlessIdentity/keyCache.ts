import { deepCopy } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../engine/http/types';
import { perProcess } from '../engine/n8n/perProcess';

/** The record of a key, the service's answer that there is none, or another record than was asked for. */
export type KeyAnswer = { record: IDataObject } | { absent: Answer } | { other: IDataObject };

/** Who asks for a key, and how. */
export interface LookupOptions {
	/** The connection's owner: credentials that differ in address, certificate checks or anything else share no records. */
	owner?: string;
	/** Whether to ask the service even if the record is known. */
	fresh?: boolean;
	/** Ends waiting for the answer; if this is the one who fetches it, somebody else takes over. */
	signal?: AbortSignal;
	/** How much trouble is taken over it: only those who take the same share a failure. */
	failureScope?: string;
}

interface PendingLookup {
	answer: Promise<KeyAnswer>;
	/** That of the one who fetches. */
	signal?: AbortSignal;
}

const TTL_MS = 5 * 60_000;
const MAX_ENTRIES = 1000;

/**
 * Remembers key records for five minutes, a thousand at most, by base address, fingerprint and credential. Those who ask for the
 * same key with the same credential at the same time share one look-up. What is dropped while it is being fetched is neither kept nor shared with those who
 * come later, since it was fetched from before the change. It gives out copies: what a workflow does to a record must not
 * change what tokens are checked against.
 */
export class KeyCache {
	private readonly entries = new Map<string, { record: IDataObject; expiresAt: number }>();
	private readonly pending = new Map<string, PendingLookup>();

	constructor(private readonly now: () => number = () => Date.now()) {}

	/** Gives the record that is known, or fetches it. What cannot be fetched is not remembered, what is gone is forgotten. */
	async getOrFetch(
		baseUrl: string,
		fingerprint: string,
		fetch: () => Promise<KeyAnswer>,
		{ owner = '', fresh = false, signal, failureScope = '' }: LookupOptions = {},
	): Promise<KeyAnswer> {
		const cacheKey = `${keyPrefix(baseUrl, fingerprint)}${owner}`;
		const lookupKey = `${cacheKey} ${failureScope}`;
		if (fresh) this.detach(`${cacheKey} `);
		for (;;) {
			const known = this.entries.get(cacheKey);
			if (!fresh && known && known.expiresAt > this.now()) return copyAnswer(known);
			const lookup = this.pending.get(lookupKey);
			if (!lookup) break;
			const answer = await waitOrAbort(lookup.answer, signal).catch(retryIfAborted(lookup, signal));
			if (answer) return copyAnswer(answer);
		}
		const fetchOrDrop = async () => {
			const answer = await fetch();
			if ('absent' in answer) this.drop(baseUrl, fingerprint);
			return answer;
		};
		return copyAnswer(await this.startLookup(lookupKey, cacheKey, fetchOrDrop, signal));
	}

	private async startLookup(
		lookupKey: string,
		cacheKey: string,
		fetch: () => Promise<KeyAnswer>,
		signal?: AbortSignal,
	): Promise<KeyAnswer> {
		const isCurrent = () => this.pending.get(lookupKey) === lookup;
		const fetchAndStore = async () => {
			try {
				const answer = await fetch();
				if ('record' in answer && isCurrent()) this.store(cacheKey, answer.record);
				return answer;
			} finally {
				if (isCurrent()) this.pending.delete(lookupKey);
			}
		};
		// Asked only once it is known to be under way, since it may be answered, or cancelled, at once.
		const lookup: PendingLookup = { answer: Promise.resolve().then(fetchAndStore), signal };
		this.pending.set(lookupKey, lookup);
		return await lookup.answer;
	}

	/** Forgets one key, or all keys of a service when it is not known which of them has changed, whichever credential asked. */
	drop(baseUrl: string, fingerprint?: string): void {
		const prefix = keyPrefix(baseUrl, fingerprint);
		for (const key of this.entries.keys()) if (key.startsWith(prefix)) this.entries.delete(key);
		this.detach(prefix);
	}

	/** From now on nobody joins the look-ups whose name begins so, and what they bring is not kept. */
	private detach(prefix: string): void {
		for (const key of this.pending.keys()) if (key.startsWith(prefix)) this.pending.delete(key);
	}

	/** How many records are remembered, outdated ones included. */
	get size(): number {
		return this.entries.size;
	}

	private store(cacheKey: string, record: IDataObject): void {
		this.entries.delete(cacheKey);
		if (this.entries.size >= MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value!);
		this.entries.set(cacheKey, { record: deepCopy(record), expiresAt: this.now() + TTL_MS });
	}
}

const copyAnswer = (answer: KeyAnswer): KeyAnswer =>
	'record' in answer ? { record: deepCopy(answer.record) } : answer;

/** Waits for something that others have begun, until the signal is given. */
async function waitOrAbort<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await work;
	signal.throwIfAborted();
	// A signal of its own: as many listeners on one signal would look like a leak.
	const own = AbortSignal.any([signal]);
	let stop: () => void = () => undefined;
	const aborted = new Promise<never>((_, reject) => {
		stop = () => reject(own.reason);
		own.addEventListener('abort', stop);
	});
	return await Promise.race([work, aborted]).finally(() => own.removeEventListener('abort', stop));
}

/** Fails as the look-up did, unless the one who fetched was cancelled and this one was not: then it is to be begun anew. */
const retryIfAborted = (lookup: PendingLookup, signal?: AbortSignal) => (error: unknown) => {
	if (lookup.signal?.aborted && !signal?.aborted) return undefined;
	throw error;
};

// A space is in no base address and in no fingerprint, so neither two services nor two keys share a start.
const keyPrefix = (baseUrl: string, fingerprint?: string) =>
	fingerprint === undefined ? `${baseUrl} ` : `${baseUrl} ${fingerprint} `;

/** The cache of this process. */
export const keyCache = perProcess('identity keys 3', () => new KeyCache());
