import { deepCopy } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../engine/http/types';
import { perProcess } from '../engine/n8n/perProcess';

/** The record of a key, the service's answer that there is none, or another record than was asked for. */
export type KeyAnswer = { record: IDataObject } | { absent: Answer } | { other: IDataObject };

/** Who asks for a key, and how. */
export interface Asker {
	/** The connection's owner: credentials that differ in address, certificate checks or anything else share no records. */
	owner?: string;
	/** Whether to ask the service even if the record is known. */
	fresh?: boolean;
	/** Ends waiting for the answer; if this is the one who fetches it, somebody else takes over. */
	signal?: AbortSignal;
	/** How much trouble is taken over it: only those who take the same share a failure. */
	patience?: string;
}

interface LookUp {
	answer: Promise<KeyAnswer>;
	/** That of the one who fetches. */
	signal?: AbortSignal;
}

const LIFE_MS = 5 * 60_000;
const MOST = 1000;

/**
 * Remembers key records for five minutes, a thousand at most, by base address, fingerprint and credential. Those who ask for the
 * same key with the same credential at the same time share one look-up. What is dropped while it is being fetched is neither kept nor shared with those who
 * come later, since it was fetched from before the change. It gives out copies: what a workflow does to a record must not
 * change what tokens are checked against.
 */
export class KeyCache {
	private readonly entries = new Map<string, { record: IDataObject; until: number }>();
	private readonly underWay = new Map<string, LookUp>();

	constructor(private readonly now: () => number = () => Date.now()) {}

	/** Gives the record that is known, or fetches it. What cannot be fetched is not remembered, what is gone is forgotten. */
	async through(
		baseUrl: string,
		fingerprint: string,
		fetch: () => Promise<KeyAnswer>,
		{ owner = '', fresh = false, signal, patience = '' }: Asker = {},
	): Promise<KeyAnswer> {
		const name = `${startOf(baseUrl, fingerprint)}${owner}`;
		const shared = `${name} ${patience}`;
		if (fresh) this.leave(`${name} `);
		for (;;) {
			const known = this.entries.get(name);
			if (!fresh && known && known.until > this.now()) return copyOf(known);
			const lookUp = this.underWay.get(shared);
			if (!lookUp) break;
			const answer = await orAborted(lookUp.answer, signal).catch(unlessLeft(lookUp, signal));
			if (answer) return copyOf(answer);
		}
		const asked = async () => {
			const answer = await fetch();
			if ('absent' in answer) this.drop(baseUrl, fingerprint);
			return answer;
		};
		return copyOf(await this.begin(shared, name, asked, signal));
	}

	private async begin(
		shared: string,
		name: string,
		fetch: () => Promise<KeyAnswer>,
		signal?: AbortSignal,
	): Promise<KeyAnswer> {
		const isCurrent = () => this.underWay.get(shared) === lookUp;
		const ask = async () => {
			try {
				const answer = await fetch();
				if ('record' in answer && isCurrent()) this.keep(name, answer.record);
				return answer;
			} finally {
				if (isCurrent()) this.underWay.delete(shared);
			}
		};
		// Asked only once it is known to be under way, since it may be answered, or cancelled, at once.
		const lookUp: LookUp = { answer: Promise.resolve().then(ask), signal };
		this.underWay.set(shared, lookUp);
		return await lookUp.answer;
	}

	/** Forgets one key, or all keys of a service when it is not known which of them has changed, whichever credential asked. */
	drop(baseUrl: string, fingerprint?: string): void {
		const start = startOf(baseUrl, fingerprint);
		for (const name of this.entries.keys()) if (name.startsWith(start)) this.entries.delete(name);
		this.leave(start);
	}

	/** From now on nobody joins the look-ups whose name begins so, and what they bring is not kept. */
	private leave(start: string): void {
		for (const name of this.underWay.keys()) if (name.startsWith(start)) this.underWay.delete(name);
	}

	/** How many records are remembered, outdated ones included. */
	get size(): number {
		return this.entries.size;
	}

	private keep(name: string, record: IDataObject): void {
		this.entries.delete(name);
		if (this.entries.size >= MOST) this.entries.delete(this.entries.keys().next().value!);
		this.entries.set(name, { record: deepCopy(record), until: this.now() + LIFE_MS });
	}
}

const copyOf = (answer: KeyAnswer): KeyAnswer =>
	'record' in answer ? { record: deepCopy(answer.record) } : answer;

/** Waits for something that others have begun, until the signal is given. */
async function orAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
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
const unlessLeft = (lookUp: LookUp, signal?: AbortSignal) => (error: unknown) => {
	if (lookUp.signal?.aborted && !signal?.aborted) return undefined;
	throw error;
};

// A space is in no base address and in no fingerprint, so neither two services nor two keys share a start.
const startOf = (baseUrl: string, fingerprint?: string) =>
	fingerprint === undefined ? `${baseUrl} ` : `${baseUrl} ${fingerprint} `;

/** The cache of this process. */
export const keyCache = perProcess('identity keys 2', () => new KeyCache());
