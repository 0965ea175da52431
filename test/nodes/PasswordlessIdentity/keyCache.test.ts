import type { IDataObject } from 'n8n-workflow';

import { KeyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import type { KeyLookupResult } from '../../../nodes/PasswordlessIdentity/keyCache';

const MINUTE = 60_000;
let now: number;
let requests: string[];
let cache: KeyCache;
beforeEach(() => {
	now = 1_000_000;
	requests = [];
	cache = new KeyCache(() => now);
});

const ABSENT: KeyLookupResult = {
	absent: { status: 404, headers: {}, kind: 'empty', body: undefined },
};
const recordOf = (result: KeyLookupResult) => ('record' in result ? result.record : undefined);

const lookUp = async (baseUrl: string, fingerprint: string, skipCache = false) =>
	recordOf(
		await cache.getOrFetch(
			baseUrl,
			fingerprint,
			async () => {
				requests.push(`${baseUrl} ${fingerprint}`);
				if (fingerprint === 'unknown') return ABSENT;
				return { record: { sub: fingerprint, n: requests.length } };
			},
			{ skipCache },
		),
	);

/** Starts a lookup whose response the test sends later. */
function startSlowLookup() {
	let respond: (found: KeyLookupResult) => void = () => undefined;
	const found = cache.getOrFetch(
		'a',
		'k',
		async () => await new Promise<KeyLookupResult>((resolve) => (respond = resolve)),
	);
	return { found, respond: (record: IDataObject) => respond({ record }) };
}

it('the cache requests a key once within five minutes, then again', async () => {
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 1 });
	now += 5 * MINUTE - 1;
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 1 });
	now += 1;
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 2 });
});

it('the cache distinguishes services and keys', async () => {
	await lookUp('https://a.example', 'k');
	await lookUp('https://b.example', 'k');
	await lookUp('https://a.example', 'l');
	expect(requests).toHaveLength(3);
});

it('the cache stores neither missing keys nor failures', async () => {
	expect(await lookUp('a', 'unknown')).toBeUndefined();
	await lookUp('a', 'unknown');
	expect(requests).toHaveLength(2);
	const failing = async () => await Promise.reject(new Error('down'));
	await expect(cache.getOrFetch('a', 'k', failing)).rejects.toThrow('down');
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 3 });
});

it('the cache requests a key again on demand, and keeps the newer response', async () => {
	await lookUp('a', 'k');
	expect(await lookUp('a', 'k', true)).toEqual({ sub: 'k', n: 2 });
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 2 });
});

it('the cache forgets a key that no longer exists', async () => {
	await lookUp('a', 'k');
	const gone = async () => await Promise.resolve(ABSENT);
	expect(await cache.getOrFetch('a', 'k', gone, { skipCache: true })).toEqual(ABSENT);
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 2 });
});

it('the cache does not store what was fetched before a key was found to be gone', async () => {
	const slow = startSlowLookup();
	await cache.getOrFetch('a', 'k', async () => await Promise.resolve(ABSENT), { skipCache: true });
	slow.respond({ sub: 'k', outdated: true });
	await slow.found;
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 1 });
});

it('the cache keeps its record if a fresh one cannot be fetched', async () => {
	await lookUp('a', 'k');
	const failing = async () => await Promise.reject(new Error('down'));
	await expect(cache.getOrFetch('a', 'k', failing, { skipCache: true })).rejects.toThrow('down');
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 1 });
});

it('the cache forgets one key, or all of a service', async () => {
	for (const key of ['k', 'l']) await lookUp('a', key);
	await lookUp('ab', 'k');
	cache.drop('a', 'k');
	await lookUp('a', 'k');
	await lookUp('a', 'l');
	expect(requests).toHaveLength(4);
	cache.drop('a');
	for (const key of ['k', 'l']) await lookUp('a', key);
	await lookUp('ab', 'k');
	expect(requests).toHaveLength(6);
});

it('the cache does not store what was fetched before a change', async () => {
	const slow = startSlowLookup();
	await Promise.resolve();
	cache.drop('a', 'k');
	slow.respond({ sub: 'k', outdated: true });
	expect(recordOf(await slow.found)).toEqual({ sub: 'k', outdated: true });
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 1 });
});

it('the cache returns copies, so that callers cannot change its records', async () => {
	const kept = { record: { sub: 'k', jwk: { x: '1' } } };
	const fetch = async (): Promise<KeyLookupResult> => kept;
	const lookups = [1, 2].map(async () => await cache.getOrFetch('a', 'k', fetch));
	for (const result of [...(await Promise.all(lookups)), await cache.getOrFetch('a', 'k', fetch)]) {
		const record = recordOf(result)!;
		expect(record).toEqual({ sub: 'k', jwk: { x: '1' } });
		record.sub = 'changed';
		(record.jwk as IDataObject).x = 'changed';
	}
});

it('the cache holds a thousand records and drops the oldest', async () => {
	for (let n = 0; n <= 1000; n++) await lookUp('a', `k${n}`);
	expect(cache.size).toBe(1000);
	requests = [];
	await lookUp('a', 'k1000');
	expect(requests).toHaveLength(0);
	await lookUp('a', 'k0');
	expect(requests).toHaveLength(1);
});
