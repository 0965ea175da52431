import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
let host: TriggerHost;
beforeAll(() => {
	// No poll gets an answer here: the IDs are made up, and none must end.
	sandbox.faultRules.add({ service: 'twoFactor', kind: '503' });
});
const sockets: Socket[] = [];
afterEach(async () => {
	for (const socket of sockets.splice(0)) socket.destroy();
	await host.close();
});

const MANY = 200;
const names = Array.from({ length: MANY }, (_, index) => `slow-${index}`);

/** A trigger that takes IDs, and a database that holds up the first of many saves until it is let go. */
async function heldUp(): Promise<() => void> {
	const parameters = { acceptNewIds: true, acceptFromAnybody: true };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start('init');
	let go = () => {};
	host.databaseReady = new Promise<void>((resolve) => (go = resolve));
	host.saveCount = 0;
	return go;
}

/** Posts an ID over a bare connection, so that the test decides whether the response is read. */
async function postBare(id: string): Promise<Socket> {
	const { hostname, port, pathname } = new URL(await host.webhookUrl());
	const body = JSON.stringify({ id });
	const socket = connect(Number(port), hostname);
	sockets.push(socket);
	socket.on('error', () => undefined);
	socket.write(
		`POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
	);
	return socket;
}

/** Waits until all who have posted have come to the point where they wait for the database. */
async function allWait(count: number): Promise<void> {
	await waitUntil(
		() => host.webhookCalls === count,
		() => host.webhookCalls,
		60_000,
	);
	await delay(500);
}
const savedIds = () => host.staticDataJson.match(/slow-\d+|good/g) ?? [];

it('two hundred simultaneous posts are saved together, and a valid one with them', async () => {
	const go = await heldUp();
	const slow = names.map(async (id) => await host.post({ id }));
	await allWait(MANY);
	const good = host.post({ id: 'good' });
	await allWait(MANY + 1);
	expect(host.saveCount).toBe(1);
	go();
	const responses = await Promise.all([...slow, good]);
	expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
	// Each has its own answer, and all of them are in the database by then.
	expect(responses.every(({ body }) => body.added === 1)).toBe(true);
	expect(new Set(savedIds()).size).toBe(MANY + 1);
	// The first one alone, and all others by one of them. Some more on a machine that is slow to let them in.
	expect(host.saveCount).toBeGreaterThanOrEqual(2);
	expect(host.saveCount).toBeLessThanOrEqual(5);
}, 120_000);

it('a caller that never reads the response delays no other', async () => {
	const go = await heldUp();
	for (const id of names) (await postBare(id)).pause();
	await allWait(MANY);
	const good = host.post({ id: 'good' });
	await allWait(MANY + 1);
	go();
	expect((await good).status).toBe(200);
	expect(host.saveCount).toBeLessThanOrEqual(5);
	expect(new Set(savedIds())).toContain('good');
}, 120_000);

it('a caller that disconnects while it waits causes no work and delays no other', async () => {
	const go = await heldUp();
	for (const id of names) await postBare(id);
	await allWait(MANY);
	const good = host.post({ id: 'good' });
	await allWait(MANY + 1);
	for (const socket of sockets) socket.destroy();
	await delay(300);
	go();
	expect((await good).status).toBe(200);
	expect(host.saveCount).toBeLessThanOrEqual(5);
	// The IDs of the disconnected callers are accepted all the same, and saved together with the last one.
	expect(new Set(savedIds()).size).toBe(MANY + 1);
}, 120_000);
