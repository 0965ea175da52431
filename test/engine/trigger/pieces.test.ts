import { UserError } from 'n8n-workflow';

import type { Connection } from '../../../nodes/engine/http/client';
import { TriggerRegistry } from '../../../nodes/engine/trigger/common/registry';
import type { RunningTrigger } from '../../../nodes/engine/trigger/common/registry';
import { RenewedConnection } from '../../../nodes/engine/trigger/common/renewedConnection';
import { SaveQueue } from '../../../nodes/engine/trigger/common/saveQueue';
import { joinedSnapshots } from '../../../nodes/engine/trigger/ids/joinedSnapshots';
import { sameSecret } from '../../../nodes/engine/trigger/ids/webhook/secret';
import type { SavedId, IdSnapshot } from '../../../nodes/engine/watch';

const connection = (apiKey: string) => ({ credential: { apiKey } }) as unknown as Connection;

describe('the connection to the service', () => {
	let now = 0;
	let key = 'a';
	let readings = 0;
	let failure: Error | undefined;
	const open = async (known = false) =>
		await RenewedConnection.open(
			async () => {
				readings++;
				if (failure) throw failure;
				return connection(key);
			},
			known,
			() => now,
		);
	beforeEach(() => {
		[now, key, readings, failure] = [0, 'a', 0, undefined];
	});

	it('reads the credential once a minute, however many ask', async () => {
		const opened = await open();
		for (; now < 59_999; now += 1000) await opened.current();
		expect(readings).toBe(1);
		now = 60_000;
		await Promise.all(Array.from({ length: 10 }, async () => await opened.current()));
		expect(readings).toBe(2);
		now = 119_999;
		await opened.current();
		expect(readings).toBe(2);
	});

	it('uses a credential that has changed, and keeps the connection of one that has not', async () => {
		const opened = await open();
		const first = (await opened.current())!;
		now = 60_000;
		expect(await opened.current()).toBe(first);
		key = 'b';
		now = 120_000;
		expect((await opened.current())!.credential.apiKey).toBe('b');
	});

	it('reads it once more after it was refused, and tells whether there is another', async () => {
		const opened = await open();
		const first = (await opened.current())!;
		expect(await opened.renewIfChanged(first)).toBe(false);
		expect(readings).toBe(2);
		key = 'b';
		const answers = await Promise.all([opened.renewIfChanged(first), opened.renewIfChanged(first)]);
		expect([answers, readings]).toEqual([[true, true], 3]);
		expect(await opened.renewIfChanged(first)).toBe(true);
		expect(readings).toBe(3);
	});

	it('goes on with the one it has while it cannot be read', async () => {
		const opened = await open();
		const first = (await opened.current())!;
		failure = new Error('The database is busy');
		now = 60_000;
		expect(await opened.current()).toBe(first);
		expect(await opened.renewIfChanged(first)).toBe(false);
	});
});

describe('the connection to the service, when the credential is deleted', () => {
	let now = 0;
	let failure: Error | undefined;
	const connect = async () => {
		if (failure) throw failure;
		return connection('a');
	};
	const open = async (known = false) => await RenewedConnection.open(connect, known, () => now);
	const deleted = (words = 'does not exist for type "toyApi".') =>
		new UserError(`Credential with ID "7" ${words}`);
	class CredentialNotFoundError extends Error {}
	beforeEach(() => {
		[now, failure] = [0, undefined];
	});

	it.each([deleted(), deleted('was not found.'), new CredentialNotFoundError('in other words')])(
		'is cut within a minute, and there again with it: %s',
		async (error) => {
			const opened = await open();
			const first = (await opened.current())!;
			failure = error;
			now = 59_999;
			expect(await opened.current()).toBe(first);
			now = 60_000;
			expect(await opened.current()).toBeUndefined();
			// A database that is down meanwhile changes nothing.
			failure = new Error('The database is busy');
			now = 120_000;
			expect(await opened.current()).toBeUndefined();
			failure = undefined;
			now = 180_000;
			expect(await opened.current()).toBe(first);
		},
	);

	it('has none to try in place of a refused one', async () => {
		const opened = await open();
		const first = (await opened.current())!;
		failure = deleted();
		expect(await opened.renewIfChanged(first)).toBe(false);
		expect(await opened.current()).toBeUndefined();
	});

	it('opens without one only where people know', async () => {
		failure = deleted();
		await expect(open()).rejects.toThrow('does not exist');
		expect(await (await open(true)).current()).toBeUndefined();
		failure = new Error('The database is busy');
		await expect(open(true)).rejects.toThrow('busy');
	});
});

describe('the registry', () => {
	const place = { workflowId: 'w', nodeId: 'n' };
	const column = (...ids: string[]) => ({ version: 1, ids });
	const running = (...ids: string[]) =>
		({ storedState: () => column(...ids), replaceWith: jest.fn() }) as unknown as RunningTrigger & {
			replaceWith: jest.Mock;
		};

	it('gives what a stopped trigger knew to the next one, and forgets it then', () => {
		const registry = new TriggerRegistry();
		const first = running('a');
		registry.recordStart(place, first);
		registry.recordStop(place, first, { storedState: column('a'), wasRejected: true });
		expect(registry.running(place)).toBeUndefined();
		expect(registry.lastStop(place)).toMatchObject({ wasRejected: true });
		registry.recordStart(place, running('a'));
		expect(registry.lastStop(place)).toMatchObject({ wasRejected: false });
	});

	it('ends the one before when another takes its place, and does not listen to it any more', () => {
		const registry = new TriggerRegistry();
		const [first, second] = [running('a'), running('b')];
		registry.recordStart(place, first);
		registry.recordStart(place, second);
		expect(first.replaceWith).toHaveBeenCalledTimes(1);
		registry.recordStop(place, first, { storedState: column('a'), wasRejected: false });
		expect(registry.running(place)).toBe(second);
		expect(registry.storedStates('w')).toEqual([['n', column('b')]]);
	});

	it('remembers a hundred stopped triggers and no more', () => {
		const registry = new TriggerRegistry();
		for (let index = 0; index < 150; index++) {
			const one = { workflowId: `${index}`, nodeId: 'n' };
			const trigger = running('a');
			registry.recordStart(one, trigger);
			registry.recordStop(one, trigger, { storedState: column('a'), wasRejected: false });
		}
		const left = Array.from({ length: 150 }, (_, index) =>
			registry.lastStop({ workflowId: `${index}`, nodeId: 'n' }),
		);
		expect(left.filter(Boolean)).toHaveLength(100);
		expect(left[149]).toBeDefined();
	});

	it('starts a key once as long as its start is under way', async () => {
		const registry = new TriggerRegistry();
		let begun = 0;
		const begin = async () => {
			begun++;
			await new Promise((resolve) => setTimeout(resolve, 5));
			if (begun === 1) throw new Error('not started');
			return 'started';
		};
		const both = [registry.start('k', begin), registry.start('k', begin)];
		expect(await Promise.allSettled(both)).toMatchObject([
			{ status: 'rejected' },
			{ status: 'rejected' },
		]);
		expect(await registry.start('k', begin)).toBe('started');
		expect(begun).toBe(2);
	});
});

describe('the queue of those who want to save', () => {
	const waiting = (isConnected = true) => ({
		nodeId: 'n',
		running: { storedState: () => ({ version: 1 }) },
		isConnected: () => isConnected,
	});

	it('has one of them save for all who came before, and then one for all who came meanwhile', async () => {
		const queue = new SaveQueue();
		const first = (await queue.acquire('w', waiting()))!;
		const [a, b, c] = [waiting(), waiting(), waiting()];
		const early = [queue.acquire('w', a), queue.acquire('w', b)];
		first.release(true);
		const second = (await early[0])!;
		expect(second.requests).toEqual([a, b]);
		const late = queue.acquire('w', c);
		let gone = false;
		void early[1]!.then(() => (gone = true));
		await Promise.resolve();
		expect(gone).toBe(false);
		second.release(true);
		expect(await early[1]).toBeUndefined();
		expect((await late)!.requests).toEqual([c]);
	});

	it('lets nobody go whose IDs were not saved: one of them saves again', async () => {
		const queue = new SaveQueue();
		const first = (await queue.acquire('w', waiting()))!;
		const [a, b, c] = [waiting(), waiting(), waiting()];
		const locks = [queue.acquire('w', a), queue.acquire('w', b)];
		first.release(true);
		const second = (await locks[0])!;
		const late = queue.acquire('w', c);
		second.release(false);
		const third = (await locks[1])!;
		expect(third.requests).toEqual([b, c]);
		third.release(true);
		expect(await late).toBeUndefined();
	});

	it('is one for each workflow, and is empty when all have gone', async () => {
		const queue = new SaveQueue();
		const [one, other] = [await queue.acquire('w', waiting()), await queue.acquire('v', waiting())];
		one!.release(true);
		other!.release(true);
		expect(await queue.acquire('w', waiting())).toBeDefined();
	});

	it('passes by those who have hung up, and counts an end once', async () => {
		const queue = new SaveQueue();
		const first = (await queue.acquire('w', waiting()))!;
		const [away, there] = [waiting(false), waiting()];
		const locks = [queue.acquire('w', away), queue.acquire('w', there)];
		first.release(true);
		first.release(true);
		const second = (await locks[1])!;
		expect(second.requests).toEqual([there, away]);
		second.release(true);
		expect(await locks[0]).toBeUndefined();

		const third = (await queue.acquire('w', waiting()))!;
		const alone = queue.acquire('w', waiting(false));
		third.release(true);
		expect(await alone).toBeUndefined();
		expect(await queue.acquire('w', waiting())).toBeDefined();
	});
});

describe('what was known and what was saved', () => {
	const known = (id: string, more: Partial<SavedId> = {}): SavedId => ({
		id,
		since: 0,
		polls: 0,
		...more,
	});
	const end = { outcome: 'approved', at: 1 };

	it('come together, and of an id that is in both the one that is further counts', () => {
		const parked: IdSnapshot = {
			version: 1,
			ids: [known('a'), known('b', { end }), known('c')],
			ended: ['x'],
		};
		const saved = { version: 1, ids: [known('a', { end }), known('b')], ended: ['c'] };
		expect(joinedSnapshots(parked, saved)).toEqual({
			version: 1,
			ids: [known('a', { end }), known('b', { end }), known('c')],
			ended: ['x', 'c'],
		});
	});

	it('know that people were told, and that an id has begun anew after that', () => {
		const told = known('a', { end: { ...end, reportedAs: 'submitted' } });
		const stale = { version: 1, ids: [known('a', { end }), known('b', { end })], ended: [] };
		const parked: IdSnapshot = { version: 1, ids: [told, known('b', { since: 5 })], ended: [] };
		expect(joinedSnapshots(parked, stale)).toMatchObject({ ids: [told, known('b', { since: 5 })] });
	});
});

it('compares secrets whole', () => {
	expect(sameSecret('Sesame', 'Sesame')).toBe(true);
	for (const other of ['', 'sesame', 'Sesame ', 'Sesam', 'Sesame\u0000']) {
		expect(sameSecret(other, 'Sesame')).toBe(false);
	}
});
