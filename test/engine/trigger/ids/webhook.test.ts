// Protects callers of a trigger's webhook: valid IDs are watched once, and invalid ones are all rejected with the reason.
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval, createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { seededUserIds } from '../../../sandbox/twoFactor.fixture';
import { waitUntil } from '../support/host';
import { acceptingTrigger, useWebhookRig } from './webhookRig';

const rig = useWebhookRig();
const { sandbox, client, openHost, openAndStart } = rig;

describe('submitted IDs', () => {
	it('are polled, and output with their data once they are decided', async () => {
		await openAndStart();
		const [firstId, secondId] = await createApprovals(client, 2);
		const data = { order: 1042 };
		const { status, body } = await rig.host.post({ ids: [firstId, { id: secondId, data }] });
		expect([status, body]).toEqual([
			200,
			{ watched: 2, added: 2, alreadyWatched: 0, alreadyFinished: 0 },
		]);
		decideApproval(sandbox, firstId!, 'approved');
		decideApproval(sandbox, secondId!, 'denied');
		await waitUntil(() => rig.host.executions.length === 2);
		expect(rig.host.startedItemsById().get(firstId)).toMatchObject({
			outcome: 'approved',
			data: {},
		});
		expect(rig.host.startedItemsById().get(secondId)).toMatchObject({ outcome: 'denied', data });
	});

	it.each([
		['one ID', (id: string) => ({ id })],
		['one ID with data', (id: string) => ({ id, data: { a: [1] } })],
		['one ID that is a number', () => ({ id: 4711 })],
		['one ID in the list field, as a form sends it', (id: string) => ({ ids: id })],
		['a bare list', (id: string) => [id]],
		['a JSON string', (id: string) => JSON.stringify(id)],
		['JSON in a JSON string', (id: string) => JSON.stringify(JSON.stringify({ ids: [{ id }] }))],
		['data that is no object', (id: string) => ({ ids: [{ id, data: 'order 7' }] })],
	])('can be posted as %s', async (_, body) => {
		await openAndStart();
		expect(await rig.host.post(body('some-id'))).toMatchObject({
			status: 200,
			body: { watched: 1 },
		});
		expect(rig.host.savedIds()).toMatchObject([{ id: expect.stringMatching(/^(some-id|4711)$/) }]);
	});

	it('are rejected if they are in malformed JSON inside a JSON string', async () => {
		await openAndStart();
		const { status, body } = await rig.host.post(JSON.stringify('{"id": "some-id"'));
		expect([status, body.message]).toEqual([400, expect.stringMatching(/Post \{"id"/)]);
	});

	it('are accepted without a long delay after other callers disconnected', async () => {
		await openAndStart();
		const url = await rig.host.webhookUrl();
		const [firstId] = await createApprovals(client, 1);
		await rig.host.post({ id: firstId });
		rig.host.saveDelaysMs = [1500];
		const slowPost = rig.host.post({ id: 'slow' });
		await delay(100);
		// Both callers disconnect while they wait in the queue.
		const disconnect = new AbortController();
		const { signal } = disconnect;
		const disconnectedPosts = ['a', 'b'].map(async (id) => {
			const headers = { 'content-type': 'application/json' };
			const body = JSON.stringify({ id });
			return await fetch(url, { method: 'POST', headers, body, signal }).catch(
				() => 'disconnected',
			);
		});
		await delay(200);
		disconnect.abort();
		expect(await Promise.all(disconnectedPosts)).toEqual(['disconnected', 'disconnected']);
		const postedAtMs = Date.now();
		expect((await rig.host.post({ id: 'patient' })).status).toBe(200);
		expect(Date.now() - postedAtMs).toBeLessThan(15_000);
		await slowPost;
		expect(rig.host.savedIds()).toContainEqual(expect.objectContaining({ id: 'patient' }));
	});

	it('count once and start the workflow once if they are equal', async () => {
		await openAndStart();
		const [id] = await createApprovals(client, 1);
		expect((await rig.host.post({ ids: [id, ` ${id} `] })).body).toMatchObject({
			watched: 1,
			added: 1,
		});
		expect((await rig.host.post({ id })).body).toMatchObject({ watched: 1, alreadyWatched: 1 });
		decideApproval(sandbox, id!, 'approved');
		await waitUntil(() => rig.host.executions.length === 1);
		expect((await rig.host.post({ id })).body).toMatchObject({ watched: 0, alreadyFinished: 1 });
		await waitUntil(() => rig.host.staticDataJson.includes(id!));
		expect(rig.host.emitCalls).toBe(1);
	});

	it.each([
		['nothing', undefined],
		['an empty object', {}],
		['a bare empty list', []],
		['an empty list beside an ID', { ids: [], id: 'a' }],
		['a list in a list', { ids: [['a']] }],
		['a number', 17],
		['null', null],
		['an ID that is an object', { id: { uuid: 'a' } }],
		['an entry without an ID', { ids: [{ data: 1 }] }],
		['an ID beside a list', { ids: ['a'], id: 'b' }],
		['an entry with an unknown field', { ids: [{ id: 'a', date: 'a typing error' }] }],
		['an ID in an unknown field', { uuid: 'a' }],
	])('are rejected if the body is %s, and the message says what is expected', async (_, body) => {
		await openAndStart();
		const { status, body: response } = await rig.host.post(body);
		expect(status).toBe(400);
		expect(response.message).toContain('Post {"id": "…"} or {"ids": ["…"');
	});

	it.each(['b', '', null, ['100001']])(
		'are rejected if the user who decides is %j',
		async (subject) => {
			await openAndStart();
			const { status, body } = await rig.host.post({ id: 'a', subject });
			expect(status).toBe(400);
			expect(body.message).toMatch(/The (expected )?subject/);
		},
	);

	it('start the workflow only for a decision of the user they name', async () => {
		await openAndStart();
		const [matchingId, mismatchedId] = await createApprovals(client, 2);
		const { status } = await rig.host.post({
			ids: [
				{ id: matchingId, subject: `${seededUserIds.withApp}` },
				{ id: mismatchedId, subject: '7' },
			],
		});
		expect(status).toBe(200);
		decideApproval(sandbox, mismatchedId!, 'approved');
		decideApproval(sandbox, matchingId!, 'approved');
		await waitUntil(() => rig.host.executions.length === 1);
		await delay(60_000);
		expect(rig.host.executions.map(({ item }) => item.id)).toEqual([matchingId]);
	});

	it('are neither added nor saved by an empty list, which only checks the trigger', async () => {
		await openAndStart();
		await rig.host.post({ id: 'a' });
		const { saveCount } = rig.host;
		expect(await rig.host.post({ ids: [] })).toMatchObject({
			status: 200,
			body: { watched: 1, added: 0, alreadyWatched: 0, alreadyFinished: 0 },
		});
		expect(rig.host.saveCount).toBe(saveCount);
		expect(rig.host.savedIds()).toHaveLength(1);
	});

	it('cannot be added while the trigger is full, which a check with an empty list reports', async () => {
		await openAndStart({ mostWatched: 2 });
		expect((await rig.host.post({ ids: ['a'] })).status).toBe(200);
		expect((await rig.host.post({ ids: [] })).status).toBe(200);
		expect((await rig.host.post({ ids: ['b'] })).status).toBe(200);
		const { status, body } = await rig.host.post({ ids: [] });
		expect([status, body.message]).toEqual([429, expect.stringMatching(/No more than 2 IDs/)]);
	});

	it.each([
		['too long', 'x'.repeat(129), /128/],
		['empty', '', /text that can be part of an address/],
		['two dots', '..', /text that can be part of an address/],
		['with control characters', 'a\u0000b', /text that can be part of an address/],
	])('are all rejected if one is %s', async (_, id, message) => {
		await openAndStart();
		const { status, body } = await rig.host.post({ ids: ['good', { id }] });
		expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
		expect((await rig.host.post({ id: 'another' })).body).toMatchObject({ watched: 1 });
	});

	it('may have up to 1 kB of data', async () => {
		await openAndStart();
		// JSON adds two quotation marks.
		const createData = (bytes: number) => 'x'.repeat(bytes - 2);
		expect((await rig.host.post({ id: 'a', data: createData(1024) })).status).toBe(200);
		const { status, body } = await rig.host.post({ id: 'b', data: createData(1025) });
		expect([status, body.message]).toEqual([413, expect.stringContaining('1 kB')]);
	});

	it('are all rejected with 429 if they exceed the limit together', async () => {
		await openAndStart({ mostWatched: 3 });
		expect((await rig.host.post({ ids: ['a', 'b'] })).status).toBe(200);
		const { status, body } = await rig.host.post({ ids: ['c', 'd'] });
		expect([status, body.message]).toEqual([429, expect.stringMatching(/more than 3.*2 are/)]);
		expect((await rig.host.post({ ids: ['a', 'c'] })).body).toMatchObject({ watched: 3 });
	});

	it('never cause a failed execution when they are rejected', async () => {
		await openAndStart({ mostWatched: 1 });
		const statuses: number[] = [];
		for (const body of [17, { id: '' }, { ids: ['a', 'b'] }])
			statuses.push((await rig.host.post(body)).status);
		expect(statuses).toEqual([400, 400, 429]);
		expect([rig.host.failedExecutions, rig.host.emittedErrors, rig.host.executions]).toEqual([
			[],
			[],
			[],
		]);
	});
});

describe('while no trigger runs', () => {
	it('IDs are rejected with 503 and Retry-After', async () => {
		openHost(acceptingTrigger());
		const { status, body, retryAfter } = await rig.host.post({ id: 'a' });
		expect([status, retryAfter]).toEqual([503, '2']);
		expect(body.message).toMatch(/does not run in this n8n process/);
		expect(rig.host.staticDataJson).toBe('{}');
	});

	it('IDs are also rejected once the trigger is closed, until it starts again', async () => {
		await openAndStart();
		expect((await rig.host.post({ id: 'a' })).status).toBe(200);
		await rig.host.stop();
		expect((await rig.host.post({ id: 'b' })).status).toBe(503);
		await rig.host.start();
		expect((await rig.host.post({ id: 'b' })).status).toBe(200);
	});
});
