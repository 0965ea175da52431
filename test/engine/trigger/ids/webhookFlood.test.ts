// Protects the webhook from many or unresponsive callers: their IDs are saved together, and no other caller is delayed.
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
	// Every poll fails, so that no ID ends: the IDs do not exist.
	sandbox.faultRules.add({ service: 'twoFactor', kind: '503' });
});
const sockets: Socket[] = [];
afterEach(async () => {
	for (const socket of sockets.splice(0)) socket.destroy();
	await host.close();
});

const CALLER_COUNT = 200;
/** One save for the first caller and one for all others; a slow machine needs some more. */
const MAX_SAVES = 5;
const slowIds = Array.from({ length: CALLER_COUNT }, (_, index) => `slow-${index}`);

/** Starts a trigger with a webhook, whose next save is blocked until the returned function is called. */
async function startTriggerWithBlockedSave(): Promise<() => void> {
	const parameters = { acceptNewIds: true, acceptFromAnybody: true };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start('init');
	let releaseSave = () => {};
	host.databaseReady = new Promise<void>((resolve) => (releaseSave = resolve));
	host.saveCount = 0;
	return releaseSave;
}

/** Posts an ID over a bare connection, so that the test decides whether the response is read. */
async function postWithoutReading(id: string): Promise<Socket> {
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

/** Waits until this many callers have posted and wait for the database. */
async function waitForQueuedCallers(count: number): Promise<void> {
	await waitUntil(
		() => host.webhookCalls === count,
		() => host.webhookCalls,
		60_000,
	);
	await delay(500);
}
const readSavedIds = () => host.staticDataJson.match(/slow-\d+|good/g) ?? [];

it('two hundred simultaneous posts are saved together, and a later post with them', async () => {
	const releaseSave = await startTriggerWithBlockedSave();
	const slowPosts = slowIds.map(async (id) => await host.post({ id }));
	await waitForQueuedCallers(CALLER_COUNT);
	const goodPost = host.post({ id: 'good' });
	await waitForQueuedCallers(CALLER_COUNT + 1);
	expect(host.saveCount).toBe(1);
	releaseSave();
	const responses = await Promise.all([...slowPosts, goodPost]);
	expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
	// Each caller has its own response, and all IDs are in the database by then.
	expect(responses.every(({ body }) => body.added === 1)).toBe(true);
	expect(new Set(readSavedIds()).size).toBe(CALLER_COUNT + 1);
	expect(host.saveCount).toBeGreaterThanOrEqual(2);
	expect(host.saveCount).toBeLessThanOrEqual(MAX_SAVES);
}, 120_000);

it('callers that never read the response do not delay another caller', async () => {
	const releaseSave = await startTriggerWithBlockedSave();
	for (const id of slowIds) (await postWithoutReading(id)).pause();
	await waitForQueuedCallers(CALLER_COUNT);
	const goodPost = host.post({ id: 'good' });
	await waitForQueuedCallers(CALLER_COUNT + 1);
	releaseSave();
	expect((await goodPost).status).toBe(200);
	expect(host.saveCount).toBeLessThanOrEqual(MAX_SAVES);
	expect(new Set(readSavedIds())).toContain('good');
}, 120_000);

it('callers that disconnect while they wait cause no extra saves and do not delay another caller', async () => {
	const releaseSave = await startTriggerWithBlockedSave();
	for (const id of slowIds) await postWithoutReading(id);
	await waitForQueuedCallers(CALLER_COUNT);
	const goodPost = host.post({ id: 'good' });
	await waitForQueuedCallers(CALLER_COUNT + 1);
	for (const socket of sockets) socket.destroy();
	await delay(300);
	releaseSave();
	expect((await goodPost).status).toBe(200);
	expect(host.saveCount).toBeLessThanOrEqual(MAX_SAVES);
	// The IDs of the disconnected callers are accepted all the same, and saved together with the last one.
	expect(new Set(readSavedIds()).size).toBe(CALLER_COUNT + 1);
}, 120_000);
