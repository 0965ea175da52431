import { setTimeout as delay } from 'node:timers/promises';

import { decide, newApprovals } from '../../../../lab/drive/watchedIds';
import { seeded, TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useHurry } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { Host, until } from '../support/host';
import type { HostNode } from '../support/host';

useHurry();

const sandbox = shareSandbox({ registrations: 1 });
const client = new TwoFactorClient(sandbox);
let host: Host;
afterEach(async () => await host.close());

const accepting = (options = {}): HostNode => ({
	type: 'twoFactorTrigger',
	parameters: {
		acceptNewIds: true,
		acceptFromAnybody: true,
		options: { checkEvery: 1, ...options },
	},
});

async function running(options = {}): Promise<void> {
	host = new Host(sandbox, [accepting(options)]);
	await host.start();
}

describe('submitted IDs', () => {
	it('are polled, and output with their data once they are decided', async () => {
		await running();
		const [first, second] = await newApprovals(client, 2);
		const data = { order: 1042 };
		const { status, body } = await host.post({ ids: [first, { id: second, data }] });
		expect([status, body]).toEqual([
			200,
			{ watched: 2, added: 2, alreadyWatched: 0, alreadyFinished: 0 },
		]);
		decide(sandbox, first!, 'approved');
		decide(sandbox, second!, 'denied');
		await until(() => host.executions.length === 2);
		expect(host.items().get(first)).toMatchObject({ outcome: 'approved', data: {} });
		expect(host.items().get(second)).toMatchObject({ outcome: 'denied', data });
	});

	it.each([
		['one', (id: string) => ({ id })],
		['one with data', (id: string) => ({ id, data: { a: [1] } })],
		['one that is a number', () => ({ id: 4711 })],
		['one as a form sends it', (id: string) => ({ ids: id })],
		['a bare list', (id: string) => [id]],
		['a JSON string', (id: string) => JSON.stringify(id)],
		['JSON in a JSON string', (id: string) => JSON.stringify(JSON.stringify({ ids: [{ id }] }))],
		['data that is no object', (id: string) => ({ ids: [{ id, data: 'order 7' }] })],
	])('can be posted as %s', async (_, body) => {
		await running();
		expect(await host.post(body('some-id'))).toMatchObject({ status: 200, body: { watched: 1 } });
		expect(host.saved()).toMatchObject([{ id: expect.stringMatching(/^(some-id|4711)$/) }]);
	});

	it('are not read from malformed JSON inside a JSON string', async () => {
		await running();
		const { status, body } = await host.post(JSON.stringify('{"id": "some-id"'));
		expect([status, body.message]).toEqual([400, expect.stringMatching(/Post \{"id"/)]);
	});

	it('are accepted without delay after another caller disconnected', async () => {
		await running();
		const url = await host.address();
		const [first] = await newApprovals(client, 1);
		await host.post({ id: first });
		host.saveDelays = [1500];
		const slow = host.post({ id: 'slow' });
		await delay(100);
		// These two wait for their turn when they hang up.
		const hangUp = new AbortController();
		const { signal } = hangUp;
		const impatient = ['a', 'b'].map(async (id) => {
			const headers = { 'content-type': 'application/json' };
			const body = JSON.stringify({ id });
			return await fetch(url, { method: 'POST', headers, body, signal }).catch(() => 'hung up');
		});
		await delay(200);
		hangUp.abort();
		expect(await Promise.all(impatient)).toEqual(['hung up', 'hung up']);
		const before = Date.now();
		expect((await host.post({ id: 'patient' })).status).toBe(200);
		expect(Date.now() - before).toBeLessThan(15_000);
		await slow;
		expect(host.saved()).toContainEqual(expect.objectContaining({ id: 'patient' }));
	});

	it('that are equal count once, at once or later, and start the workflow once', async () => {
		await running();
		const [id] = await newApprovals(client, 1);
		expect((await host.post({ ids: [id, ` ${id} `] })).body).toMatchObject({
			watched: 1,
			added: 1,
		});
		expect((await host.post({ id })).body).toMatchObject({ watched: 1, alreadyWatched: 1 });
		decide(sandbox, id!, 'approved');
		await until(() => host.executions.length === 1);
		expect((await host.post({ id })).body).toMatchObject({ watched: 0, alreadyFinished: 1 });
		await until(() => host.column.includes(id!));
		expect(host.emits).toBe(1);
	});

	it.each([
		['nothing', undefined],
		['an empty object', {}],
		['an empty list that is bare', []],
		['an empty list beside something', { ids: [], id: 'a' }],
		['a list in a list', { ids: [['a']] }],
		['a number', 17],
		['null', null],
		['an ID that is an object', { id: { uuid: 'a' } }],
		['an entry without an ID', { ids: [{ data: 1 }] }],
		['an ID beside a list', { ids: ['a'], id: 'b' }],
		['something unknown', { ids: [{ id: 'a', date: 'a typing error' }] }],
		['another word', { uuid: 'a' }],
	])('are rejected as %s, with a message that says what is expected', async (_, body) => {
		await running();
		const { status, body: answer } = await host.post(body);
		expect(status).toBe(400);
		expect(answer.message).toContain('Post {"id": "…"} or {"ids": ["…"');
	});

	it.each(['b', '', null, ['100001']])(
		'are rejected with %j as the user who decides',
		async (subject) => {
			await running();
			const { status, body } = await host.post({ id: 'a', subject });
			expect(status).toBe(400);
			expect(body.message).toMatch(/The (expected )?subject/);
		},
	);

	it('start the workflow only for a decision of the user they name', async () => {
		await running();
		const [own, foreign] = await newApprovals(client, 2);
		const { status } = await host.post({
			ids: [
				{ id: own, subject: `${seeded.withApp}` },
				{ id: foreign, subject: '7' },
			],
		});
		expect(status).toBe(200);
		decide(sandbox, foreign!, 'approved');
		decide(sandbox, own!, 'approved');
		await until(() => host.executions.length === 1);
		await delay(60_000);
		expect(host.executions.map(({ item }) => item.id)).toEqual([own]);
	});

	it('can be checked with an empty list, which adds and saves nothing', async () => {
		await running();
		await host.post({ id: 'a' });
		const { saves } = host;
		expect(await host.post({ ids: [] })).toMatchObject({
			status: 200,
			body: { watched: 1, added: 0, alreadyWatched: 0, alreadyFinished: 0 },
		});
		expect(host.saves).toBe(saves);
		expect(host.saved()).toHaveLength(1);
	});

	it('are rejected while the trigger is full, which a check reports as well', async () => {
		await running({ mostWatched: 2 });
		expect((await host.post({ ids: ['a'] })).status).toBe(200);
		expect((await host.post({ ids: [] })).status).toBe(200);
		expect((await host.post({ ids: ['b'] })).status).toBe(200);
		const { status, body } = await host.post({ ids: [] });
		expect([status, body.message]).toEqual([429, expect.stringMatching(/No more than 2 IDs/)]);
	});

	it.each([
		['too long', 'x'.repeat(129), /128/],
		['empty', '', /text that can be part of an address/],
		['two dots', '..', /text that can be part of an address/],
		['with control characters', 'a\u0000b', /text that can be part of an address/],
	])('are all rejected if one is %s', async (_, id, words) => {
		await running();
		const { status, body } = await host.post({ ids: ['good', { id }] });
		expect([status, body.message]).toEqual([400, expect.stringMatching(words)]);
		expect((await host.post({ id: 'another' })).body).toMatchObject({ watched: 1 });
	});

	it('may have 1 kB of data and no more', async () => {
		await running();
		const data = (size: number) => 'x'.repeat(size - 2);
		expect((await host.post({ id: 'a', data: data(1024) })).status).toBe(200);
		const { status, body } = await host.post({ id: 'b', data: data(1025) });
		expect([status, body.message]).toEqual([413, expect.stringContaining('1 kB')]);
	});

	it('above the limit are all rejected with 429', async () => {
		await running({ mostWatched: 3 });
		expect((await host.post({ ids: ['a', 'b'] })).status).toBe(200);
		const { status, body } = await host.post({ ids: ['c', 'd'] });
		expect([status, body.message]).toEqual([429, expect.stringMatching(/more than 3.*2 are/)]);
		expect((await host.post({ ids: ['a', 'c'] })).body).toMatchObject({ watched: 3 });
	});

	it('never cause a failed execution when they are rejected', async () => {
		await running({ mostWatched: 1 });
		for (const body of [17, { id: '' }, { ids: ['a', 'b'] }]) await host.post(body);
		expect([host.failedExecutions, host.emittedErrors, host.executions]).toEqual([[], [], []]);
	});
});

describe('if no trigger runs', () => {
	it('IDs are rejected with 503 and Retry-After', async () => {
		host = new Host(sandbox, [accepting()]);
		const { status, body, retryAfter } = await host.post({ id: 'a' });
		expect([status, retryAfter]).toEqual([503, '2']);
		expect(body.message).toMatch(/does not run in this n8n process/);
		expect(host.column).toBe('{}');
	});

	it('IDs are also rejected once the trigger is closed, and in another process', async () => {
		await running();
		expect((await host.post({ id: 'a' })).status).toBe(200);
		await host.stop();
		expect((await host.post({ id: 'b' })).status).toBe(503);
		await host.start();
		expect((await host.post({ id: 'b' })).status).toBe(200);
		await host.die();
		expect((await host.post({ id: 'c' })).status).toBe(503);
	});
});

describe('acknowledged IDs', () => {
	const saved = () => [0, 1].flatMap((node) => host.saved(node).map(({ id }) => id));

	it('are saved, and polled by the next process', async () => {
		await running();
		const [id] = await newApprovals(client, 1);
		await host.post({ id, data: { order: 7 } });
		expect(saved()).toEqual([id]);
		await host.die();
		decide(sandbox, id!, 'approved');
		await host.start('init');
		await until(() => host.executions.length === 1);
		expect(host.items().get(id)).toMatchObject({ outcome: 'approved', data: { order: 7 } });
	});

	it('stay saved if the database is slow and many are submitted at once', async () => {
		await running();
		host.saveDelays = [300, 10, 200, 3];
		const ids = ['a', 'b', 'c', 'd'];
		await Promise.all(ids.map(async (id) => await host.post({ id })));
		expect(saved().sort()).toEqual(ids);
	});

	it('stay saved if an earlier save, of a start, arrives late', async () => {
		await running();
		const [ending] = await newApprovals(client, 1);
		await host.post({ id: ending });
		decide(sandbox, ending!, 'approved');
		host.saveDelays = [150];
		await until(() => host.emits === 1);
		await host.post({ id: 'a' });
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(saved()).toContain('a');
	});

	it('stay saved if such a save is that of another trigger in the same workflow', async () => {
		host = new Host(sandbox, [accepting(), accepting()]);
		await host.start();
		const [ending] = await newApprovals(client, 1);
		await host.post({ id: ending }, { node: 1 });
		decide(sandbox, ending!, 'approved');
		host.saveDelays = [150];
		await until(() => host.emits === 1);
		await host.post({ id: 'a' }, { node: 0 });
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(saved()).toContain('a');
	});

	it('stay saved if another trigger in the same workflow accepts IDs at the same time', async () => {
		host = new Host(sandbox, [accepting(), accepting()]);
		await host.start();
		host.saveDelays = [100, 3, 50, 3];
		const posts = ['a', 'b', 'c', 'd'].map(
			async (id, index) => await host.post({ id }, { node: index % 2 }),
		);
		await Promise.all(posts);
		expect(saved().sort()).toEqual(['a', 'b', 'c', 'd']);
	});

	it('stay saved if the other trigger starts its workflow with a copy of its own of the saved state', async () => {
		host = new Host(sandbox, [accepting(), accepting()]);
		const [ending] = await newApprovals(client, 1);
		await host.start();
		const before = host.column;
		// n8n starts only the trigger again whose node was changed.
		const both = host.nodes;
		host.nodes = [both[0]!];
		await host.start('update', before);
		host.nodes = both;
		await host.post({ id: 'a' }, { node: 1 });
		await host.post({ id: ending }, { node: 0 });
		decide(sandbox, ending!, 'approved');
		await until(() => host.executions.length === 1);
		await until(() => host.column.includes('outcome'));
		expect(saved()).toContain('a');
	});

	it('are not lost if n8n starts the trigger again with older static data', async () => {
		await running();
		const before = host.column;
		const [id] = await newApprovals(client, 1);
		await host.post({ id });
		await host.stop();
		await host.start('init', before);
		expect(saved()).toEqual([id]);
		decide(sandbox, id!, 'denied');
		await until(() => host.executions.length === 1);
	});
});
