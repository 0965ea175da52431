import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { packCache, startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { startN8n } from '../../lab/n8n';
import type { N8nProcess } from '../../lab/n8n';
import { buildPack, installPack } from '../../lab/pack';
import { freePort } from '../../lab/ports';
import { silent } from '../../lab/progress';
import { createRandom } from '../../sandbox/random';
import { decide, planIds } from './triggers/plannedIds';
import type { PlannedId } from './triggers/plannedIds';
import { query, startPostgres, startRedis } from './triggers/servers';
import type { Server } from './triggers/servers';
import { handIn, killAndRestart, openWorkflows, settings, settled } from './triggers/workflows';
import type { Workflows } from './triggers/workflows';

const random = createRandom(4711);

describe('triggers in queue mode, with a main process and a worker that are killed', () => {
	const folders: string[] = [];
	const servers: Server[] = [];
	const workers: N8nProcess[] = [];
	let postgres: Server;
	let lab: Lab;
	let env: Record<string, string>;

	const newFolder = async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-queue-'));
		folders.push(folder);
		return folder;
	};

	/** A worker lives in a folder of its own, as on another machine. */
	const startWorker = async () => {
		const userFolder = await newFolder();
		await installPack(await buildPack(packCache, silent), userFolder);
		const port = await freePort();
		const worker = await startN8n({
			node: lab.node,
			port,
			userFolder,
			command: 'worker',
			env: { ...env, QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: `${port}` },
		});
		workers.push(worker);
		return worker;
	};

	beforeAll(async () => {
		const redis = await startRedis();
		servers.push(redis);
		postgres = await startPostgres();
		servers.push(postgres);
		env = {
			...settings,
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: 'the same for all processes of this n8n',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: `${redis.port}`,
			// A killed worker's jobs go to the other one soon, not after a minute.
			QUEUE_WORKER_LOCK_DURATION: '5000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '1500',
			QUEUE_WORKER_STALLED_INTERVAL: '5000',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: `${postgres.port}`,
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'postgres',
			DB_POSTGRESDB_PASSWORD: '',
		};
		lab = await startLab({ userFolder: await newFolder(), sandbox: { registrations: 1 }, env });
		await startWorker();
		await startWorker();
	}, 300_000);
	afterAll(async () => {
		await Promise.all(workers.map(async (worker) => await worker.stop('SIGKILL')));
		await (lab as Lab | undefined)?.stop();
		for (const server of servers.reverse()) await server.stop();
		for (const folder of folders) await rm(folder, { recursive: true, force: true });
	}, 120_000);

	test('start each of 200 workflows once, with the right outcome', async () => {
		const members = await planIds(lab.sandbox, { approvals: 120, jobs: 80 }, random);
		const workflows = await openWorkflows(lab, members);
		const until = Date.now() + 400_000;
		const toHandIn = members.filter(({ typed }) => !typed);
		const toDecide = [...members];
		const handed: Promise<void>[] = [];
		const handSome = (count: number) => {
			handed.push(...handInByKind(workflows, toHandIn.splice(0, count), until));
		};
		const decideSome = async (count: number, withinMs: number) => {
			for (const member of toDecide.splice(0, count)) {
				await delay((withinMs * 2 * random.next()) / count);
				await decide(lab.sandbox, member);
			}
		};
		/** Some seconds of ordinary work. */
		const work = async () => {
			for (let post = 0; post < 4; post++) {
				handSome(random.int(4, 9));
				await decideSome(random.int(8, 14), 1500);
			}
		};

		await work();
		const killed = killAndRestart(lab);
		await decideSome(10, 3000);
		await killed;
		await work();
		await workers[0]!.stop('SIGKILL');
		await work();
		const replaced = startWorker();
		handSome(toHandIn.length);
		await decideSome(toDecide.length, 5000);
		await Promise.all([...handed, replaced]);

		const started = await settled(lab, workflows, members.length, 90_000);
		const keys = new Map(
			query(postgres, 'SELECT id, "deduplicationKey" FROM execution_entity').map(
				([execution, key]) => [execution, key!.split(':').at(-1)],
			),
		);
		// Of an execution that died with its worker n8n keeps no more than the key.
		const outcomes = new Map(members.map(({ id, outcome }) => [id, outcome]));
		const seen = started.map(({ execution, id = keys.get(execution)!, status, outcome }) => ({
			id,
			outcome: status === 'success' ? outcome : (outcome ?? outcomes.get(id)),
		}));
		const wanted = members.map(({ id, outcome }) => ({ id, outcome }));
		expect(sorted(seen)).toEqual(sorted(wanted));
		const statuses = new Set(started.map(({ status }) => status));
		expect(['success', 'crashed', 'error']).toEqual(expect.arrayContaining([...statuses]));
		expect(started.filter(({ status }) => status !== 'success').length).toBeLessThan(30);
	}, 480_000);
});

const sorted = (list: Array<{ id: string; outcome?: string }>) =>
	list.map(({ id, outcome }) => `${id} ${outcome}`).sort();

function handInByKind(workflows: Workflows, members: PlannedId[], until: number): Promise<void>[] {
	return (['approval', 'job'] as const).map(async (kind) => {
		const ids = members.filter((member) => member.kind === kind).map(({ id }) => id);
		if (ids.length > 0) await handIn(workflows[kind].url, ids, until);
	});
}
