import { UserError } from 'n8n-workflow';

import type { Connection } from '../../../../nodes/engine/http/client';
import { RenewedConnection } from '../../../../nodes/engine/trigger/common/renewedConnection';

const connection = (apiKey: string) => ({ credential: { apiKey } }) as unknown as Connection;

describe('RenewedConnection', () => {
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

	it('reads the credential once a minute, however many callers request it', async () => {
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

	it('reads the credential again after a rejection and returns whether it changed', async () => {
		const opened = await open();
		const first = (await opened.current())!;
		expect(await opened.renewIfChanged(first)).toBe(false);
		expect(readings).toBe(2);
		key = 'b';
		const renewals = await Promise.all([
			opened.renewIfChanged(first),
			opened.renewIfChanged(first),
		]);
		expect([renewals, readings]).toEqual([[true, true], 3]);
		expect(await opened.renewIfChanged(first)).toBe(true);
		expect(readings).toBe(3);
	});

	it('keeps the connection while the credential cannot be read', async () => {
		const opened = await open();
		const first = (await opened.current())!;
		failure = new Error('The database is busy');
		now = 60_000;
		expect(await opened.current()).toBe(first);
		expect(await opened.renewIfChanged(first)).toBe(false);
	});
});

describe('RenewedConnection of a deleted credential', () => {
	let now = 0;
	let failure: Error | undefined;
	const connect = async () => {
		if (failure) throw failure;
		return connection('a');
	};
	const open = async (known = false) => await RenewedConnection.open(connect, known, () => now);
	const deleted = (message = 'does not exist for type "toyApi".') =>
		new UserError(`Credential with ID "7" ${message}`);
	class CredentialNotFoundError extends Error {}
	beforeEach(() => {
		[now, failure] = [0, undefined];
	});

	it.each([deleted(), deleted('was not found.'), new CredentialNotFoundError('in other words')])(
		'closes within a minute and reopens once the credential is back: %s',
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

	it('has no credential to retry with after a rejection', async () => {
		const opened = await open();
		const first = (await opened.current())!;
		failure = deleted();
		expect(await opened.renewIfChanged(first)).toBe(false);
		expect(await opened.current()).toBeUndefined();
	});

	it('opens without a credential only if that was reported before', async () => {
		failure = deleted();
		await expect(open()).rejects.toThrow('does not exist');
		expect(await (await open(true)).current()).toBeUndefined();
		failure = new Error('The database is busy');
		await expect(open(true)).rejects.toThrow('busy');
	});
});
