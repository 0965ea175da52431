// Protects running triggers from an outdated credential: a changed or deleted one is noticed within a minute.
import { UserError } from 'n8n-workflow';

import type { Connection } from '../../../../nodes/engine/http/client';
import { RenewedConnection } from '../../../../nodes/engine/trigger/common/renewedConnection';

const MINUTE_MS = 60_000;

const createConnection = (apiKey: string) => ({ credential: { apiKey } }) as unknown as Connection;

describe('RenewedConnection', () => {
	let nowMs = 0;
	let storedKey = 'a';
	let readCount = 0;
	let readError: Error | undefined;
	const openConnection = async (wasRejectionReported = false) =>
		await RenewedConnection.open(
			async () => {
				readCount++;
				if (readError) throw readError;
				return createConnection(storedKey);
			},
			wasRejectionReported,
			() => nowMs,
		);
	beforeEach(() => {
		[nowMs, storedKey, readCount, readError] = [0, 'a', 0, undefined];
	});

	it('reads the credential once a minute, however many callers request it', async () => {
		const renewedConnection = await openConnection();
		for (; nowMs < MINUTE_MS - 1; nowMs += 1000) await renewedConnection.current();
		expect(readCount).toBe(1);
		nowMs = MINUTE_MS;
		await Promise.all(Array.from({ length: 10 }, async () => await renewedConnection.current()));
		expect(readCount).toBe(2);
		nowMs = 2 * MINUTE_MS - 1;
		await renewedConnection.current();
		expect(readCount).toBe(2);
	});

	it('replaces the connection if the credential has changed, and keeps it otherwise', async () => {
		const renewedConnection = await openConnection();
		const firstConnection = (await renewedConnection.current())!;
		nowMs = MINUTE_MS;
		expect(await renewedConnection.current()).toBe(firstConnection);
		storedKey = 'b';
		nowMs = 2 * MINUTE_MS;
		expect((await renewedConnection.current())!.credential.apiKey).toBe('b');
	});

	it('reads the credential again after a rejection, and returns whether it has changed', async () => {
		const renewedConnection = await openConnection();
		const firstConnection = (await renewedConnection.current())!;
		expect(await renewedConnection.renewIfChanged(firstConnection)).toBe(false);
		expect(readCount).toBe(2);
		storedKey = 'b';
		const renewals = await Promise.all([
			renewedConnection.renewIfChanged(firstConnection),
			renewedConnection.renewIfChanged(firstConnection),
		]);
		expect([renewals, readCount]).toEqual([[true, true], 3]);
		expect(await renewedConnection.renewIfChanged(firstConnection)).toBe(true);
		expect(readCount).toBe(3);
	});

	it('keeps the connection while the credential cannot be read', async () => {
		const renewedConnection = await openConnection();
		const firstConnection = (await renewedConnection.current())!;
		readError = new Error('The database is busy');
		nowMs = MINUTE_MS;
		expect(await renewedConnection.current()).toBe(firstConnection);
		expect(await renewedConnection.renewIfChanged(firstConnection)).toBe(false);
	});
});

describe('RenewedConnection of a deleted credential', () => {
	let nowMs = 0;
	let readError: Error | undefined;
	const connect = async () => {
		if (readError) throw readError;
		return createConnection('a');
	};
	const openConnection = async (wasRejectionReported = false) =>
		await RenewedConnection.open(connect, wasRejectionReported, () => nowMs);
	const createDeletionError = (message = 'does not exist for type "toyApi".') =>
		new UserError(`Credential with ID "7" ${message}`);
	class CredentialNotFoundError extends Error {}
	beforeEach(() => {
		[nowMs, readError] = [0, undefined];
	});

	it.each([
		createDeletionError(),
		createDeletionError('was not found.'),
		new CredentialNotFoundError('another message'),
	])(
		'has no connection after a minute, and gets it back once the credential exists again: %s',
		async (error) => {
			const renewedConnection = await openConnection();
			const firstConnection = (await renewedConnection.current())!;
			readError = error;
			nowMs = MINUTE_MS - 1;
			expect(await renewedConnection.current()).toBe(firstConnection);
			nowMs = MINUTE_MS;
			expect(await renewedConnection.current()).toBeUndefined();
			// A database that fails meanwhile changes nothing.
			readError = new Error('The database is busy');
			nowMs = 2 * MINUTE_MS;
			expect(await renewedConnection.current()).toBeUndefined();
			readError = undefined;
			nowMs = 3 * MINUTE_MS;
			expect(await renewedConnection.current()).toBe(firstConnection);
		},
	);

	it('has no connection to retry with after a rejection', async () => {
		const renewedConnection = await openConnection();
		const firstConnection = (await renewedConnection.current())!;
		readError = createDeletionError();
		expect(await renewedConnection.renewIfChanged(firstConnection)).toBe(false);
		expect(await renewedConnection.current()).toBeUndefined();
	});

	it('opens without a connection only if a rejection or deletion was reported before', async () => {
		readError = createDeletionError();
		await expect(openConnection()).rejects.toThrow('does not exist');
		expect(await (await openConnection(true)).current()).toBeUndefined();
		readError = new Error('The database is busy');
		await expect(openConnection(true)).rejects.toThrow('busy');
	});
});
