// Protects verification from outdated keys: the cache keeps a record for five minutes at most, and drops one that is gone.
import type { IDataObject } from 'n8n-workflow';

import { KeyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import type { KeyLookupResult } from '../../../nodes/PasswordlessIdentity/keyCache';

const MINUTE_MS = 60_000;
let nowMs: number;
let requests: string[];
let cache: KeyCache;
beforeEach(() => {
	nowMs = 1_000_000;
	requests = [];
	cache = new KeyCache(() => nowMs);
});

const ABSENT: KeyLookupResult = {
	absent: { status: 404, headers: {}, kind: 'empty', body: undefined },
};
const getRecord = (result: KeyLookupResult) => ('record' in result ? result.record : undefined);

/** Looks a key up. The record has the number of the request that returned it. */
const lookUp = async (baseUrl: string, fingerprint: string, skipCache = false) =>
	getRecord(
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
	let respond: (result: KeyLookupResult) => void = () => undefined;
	const result = cache.getOrFetch(
		'a',
		'k',
		async () => await new Promise<KeyLookupResult>((resolve) => (respond = resolve)),
	);
	return { result, respond: (record: IDataObject) => respond({ record }) };
}

it('the cache requests a key again only after five minutes', async () => {
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 1 });
	nowMs += 5 * MINUTE_MS - 1;
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 1 });
	nowMs += 1;
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 2 });
});

it('the cache stores each key of each service separately', async () => {
	await lookUp('https://a.example', 'k');
	await lookUp('https://b.example', 'k');
	await lookUp('https://a.example', 'l');
	expect(requests).toHaveLength(3);
});

it('the cache stores neither unknown keys nor failures', async () => {
	expect(await lookUp('a', 'unknown')).toBeUndefined();
	await lookUp('a', 'unknown');
	expect(requests).toHaveLength(2);
	const failing = async () => await Promise.reject(new Error('down'));
	await expect(cache.getOrFetch('a', 'k', failing)).rejects.toThrow('down');
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 3 });
});

it('the cache requests a key again with skipCache, and stores the newer record', async () => {
	await lookUp('a', 'k');
	expect(await lookUp('a', 'k', true)).toEqual({ sub: 'k', n: 2 });
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 2 });
});

it('the cache removes a key that no longer exists', async () => {
	await lookUp('a', 'k');
	const gone = async () => await Promise.resolve(ABSENT);
	expect(await cache.getOrFetch('a', 'k', gone, { skipCache: true })).toEqual(ABSENT);
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 2 });
});

it('the cache does not store a record that was requested before the key was found to be gone', async () => {
	const slow = startSlowLookup();
	await cache.getOrFetch('a', 'k', async () => await Promise.resolve(ABSENT), { skipCache: true });
	slow.respond({ sub: 'k', outdated: true });
	await slow.result;
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 1 });
});

it('the cache keeps its record if a request with skipCache fails', async () => {
	await lookUp('a', 'k');
	const failing = async () => await Promise.reject(new Error('down'));
	await expect(cache.getOrFetch('a', 'k', failing, { skipCache: true })).rejects.toThrow('down');
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 1 });
});

it('the cache drops one key, or all keys of a service', async () => {
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

it('the cache does not store a record that was requested before the key was dropped', async () => {
	const slow = startSlowLookup();
	await Promise.resolve();
	cache.drop('a', 'k');
	slow.respond({ sub: 'k', outdated: true });
	expect(getRecord(await slow.result)).toEqual({ sub: 'k', outdated: true });
	expect(await lookUp('a', 'k')).toEqual({ sub: 'k', n: 1 });
});

it('the cache returns copies, so that callers cannot change its records', async () => {
	const stored = { record: { sub: 'k', jwk: { x: '1' } } };
	const fetch = async (): Promise<KeyLookupResult> => stored;
	const lookups = [1, 2].map(async () => await cache.getOrFetch('a', 'k', fetch));
	for (const result of [...(await Promise.all(lookups)), await cache.getOrFetch('a', 'k', fetch)]) {
		const record = getRecord(result)!;
		expect(record).toEqual({ sub: 'k', jwk: { x: '1' } });
		record.sub = 'changed';
		(record.jwk as IDataObject).x = 'changed';
	}
});

it('the cache stores a thousand records, and drops the oldest for a new one', async () => {
	for (let n = 0; n <= 1000; n++) await lookUp('a', `k${n}`);
	expect(cache.size).toBe(1000);
	requests = [];
	await lookUp('a', 'k1000');
	expect(requests).toHaveLength(0);
	await lookUp('a', 'k0');
	expect(requests).toHaveLength(1);
});
