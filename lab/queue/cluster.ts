import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { killable } from '../environment';
import { packCache, startLab } from '../lab';
import type { Lab } from '../lab';
import { startN8n } from '../n8n';
import type { N8nProcess } from '../n8n';
import { buildPack, installPack } from '../pack';
import { freePort } from '../ports';
import { silent } from '../progress';
import type { Progress } from '../progress';
import { startPostgres } from './postgres';
import { startRedis } from './redis';
import type { Server } from './servers';

/** An n8n in queue mode: a main process, and workers beside it. */
export interface Cluster {
	lab: Lab;
	postgres: Server;
	workers: N8nProcess[];
	startWorker(): Promise<N8nProcess>;
	stop(): Promise<void>;
}

export interface ClusterOptions {
	workers: number;
	/** Further settings for all processes. */
	env?: Record<string, string>;
	/** A folder of workflows to import; none unless given. */
	examples?: string;
	progress?: Progress;
}

/** Starts Redis, PostgreSQL, a main process and workers. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
	const { examples, progress = silent } = options;
	const folders: string[] = [];
	const servers: Server[] = [];
	const workers: N8nProcess[] = [];
	let lab: Lab | undefined;
	const stop = async () => {
		await Promise.all(workers.map(async (worker) => await worker.stop('SIGKILL')));
		await lab?.stop();
		for (const server of servers.reverse()) await server.stop();
		for (const folder of folders) await rm(folder, { recursive: true, force: true });
	};
	const newFolder = async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-queue-'));
		folders.push(folder);
		return folder;
	};
	try {
		const redis = await startRedis();
		servers.push(redis);
		const postgres = await startPostgres(progress);
		servers.push(postgres);
		const env = { ...queueMode(redis, postgres), ...options.env };
		const main = await startLab({
			userFolder: await newFolder(),
			sandbox: { registrations: 1 },
			examples,
			env,
			progress,
		});
		lab = main;
		/** A worker lives in a folder of its own, as on another machine. */
		const startWorker = async () => {
			const userFolder = await newFolder();
			await installPack(await buildPack(packCache, silent), userFolder);
			const port = await freePort();
			const worker = await startN8n({
				node: main.node,
				port,
				userFolder,
				command: 'worker',
				env: {
					...env,
					// Where the main process is reached.
					N8N_WEBHOOK_URL: `${main.n8nUrl}/`,
					QUEUE_HEALTH_CHECK_ACTIVE: 'true',
					QUEUE_HEALTH_CHECK_PORT: `${port}`,
				},
			});
			workers.push(worker);
			return worker;
		};
		while (workers.length < options.workers) await startWorker();
		return { lab: main, postgres, workers, startWorker, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

const queueMode = (redis: Server, postgres: Server): Record<string, string> => ({
	...killable,
	EXECUTIONS_MODE: 'queue',
	N8N_ENCRYPTION_KEY: 'the same for all processes of this n8n',
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: `${redis.port}`,
	// When its lock has run out, n8n takes a job's worker for dead, and the job for failed half a minute later: within a
	// minute here, not two. With a shorter lock that would happen to a worker that a busy machine merely holds up.
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1500',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: `${postgres.port}`,
	DB_POSTGRESDB_DATABASE: 'postgres',
	DB_POSTGRESDB_USER: 'postgres',
	DB_POSTGRESDB_PASSWORD: '',
});
