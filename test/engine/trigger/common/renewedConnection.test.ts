import { UserError } from 'n8n-workflow';

import type { Connection } from '../../../../nodes/engine/http/client';
import { RenewedConnection } from '../../../../nodes/engine/trigger/common/renewedConnection';

const createConnection = (apiKey: string) => ({ credential: { apiKey } }) as unknown as Connection;

describe('RenewedConnection', () => {
	let nowMs = 0;
	let key = 'a';
	let readCount = 0;
	let failure: Error | undefined;
	const open = async (wasReported = false) =>
		await RenewedConnection.open(
			async () => {
				readCount++;
				if (failure) throw failure;
				return createConnection(key);
			},
			wasReported,
			() => nowMs,
		);
	beforeEach(() => {
		[nowMs, key, readCount, failure] = [0, 'a', 0, undefined];
	});

	it('reads the credential once a minute, however many callers request it', async () => {
		const renewed = await open();
		for (; nowMs < 59_999; nowMs += 1000) await renewed.current();
		expect(readCount).toBe(1);
		nowMs = 60_000;
		await Promise.all(Array.from({ length: 10 }, async () => await renewed.current()));
		expect(readCount).toBe(2);
		nowMs = 119_999;
		await renewed.current();
		expect(readCount).toBe(2);
	});

	it('uses a credential that has changed, and keeps the connection of one that has not', async () => {
		const renewed = await open();
		const first = (await renewed.current())!;
		nowMs = 60_000;
		expect(await renewed.current()).toBe(first);
		key = 'b';
		nowMs = 120_000;
		expect((await renewed.current())!.credential.apiKey).toBe('b');
	});

	it('reads the credential again after a rejection and returns whether it changed', async () => {
		const renewed = await open();
		const first = (await renewed.current())!;
		expect(await renewed.renewIfChanged(first)).toBe(false);
		expect(readCount).toBe(2);
		key = 'b';
		const renewals = await Promise.all([
			renewed.renewIfChanged(first),
			renewed.renewIfChanged(first),
		]);
		expect([renewals, readCount]).toEqual([[true, true], 3]);
		expect(await renewed.renewIfChanged(first)).toBe(true);
		expect(readCount).toBe(3);
	});

	it('keeps the connection while the credential cannot be read', async () => {
		const renewed = await open();
		const first = (await renewed.current())!;
		failure = new Error('The database is busy');
		nowMs = 60_000;
		expect(await renewed.current()).toBe(first);
		expect(await renewed.renewIfChanged(first)).toBe(false);
	});
});

describe('RenewedConnection of a deleted credential', () => {
	let nowMs = 0;
	let failure: Error | undefined;
	const connect = async () => {
		if (failure) throw failure;
		return createConnection('a');
	};
	const open = async (wasReported = false) =>
		await RenewedConnection.open(connect, wasReported, () => nowMs);
	const deleted = (message = 'does not exist for type "toyApi".') =>
		new UserError(`Credential with ID "7" ${message}`);
	class CredentialNotFoundError extends Error {}
	beforeEach(() => {
		[nowMs, failure] = [0, undefined];
	});

	it.each([deleted(), deleted('was not found.'), new CredentialNotFoundError('in other words')])(
		'closes within a minute and reopens once the credential is back: %s',
		async (error) => {
			const renewed = await open();
			const first = (await renewed.current())!;
			failure = error;
			nowMs = 59_999;
			expect(await renewed.current()).toBe(first);
			nowMs = 60_000;
			expect(await renewed.current()).toBeUndefined();
			// A database that is down meanwhile changes nothing.
			failure = new Error('The database is busy');
			nowMs = 120_000;
			expect(await renewed.current()).toBeUndefined();
			failure = undefined;
			nowMs = 180_000;
			expect(await renewed.current()).toBe(first);
		},
	);

	it('has no credential to retry with after a rejection', async () => {
		const renewed = await open();
		const first = (await renewed.current())!;
		failure = deleted();
		expect(await renewed.renewIfChanged(first)).toBe(false);
		expect(await renewed.current()).toBeUndefined();
	});

	it('opens without a credential only if that was reported before', async () => {
		failure = deleted();
		await expect(open()).rejects.toThrow('does not exist');
		expect(await (await open(true)).current()).toBeUndefined();
		failure = new Error('The database is busy');
		await expect(open(true)).rejects.toThrow('busy');
	});
});
