import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { killableEnv } from '../environment';
import { packCache, startLab } from '../lab';
import type { Lab } from '../lab';
import { startN8n } from '../n8n';
import type { N8nProcess } from '../n8n';
import { buildPack, installPack } from '../pack';
import { clusterLogs } from '../paths';
import { findFreePort } from '../ports';
import { silentProgress } from '../progress';
import type { Progress } from '../progress';
import { query, startPostgres } from './postgres';
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
	/**
	 * Names the folder below `.cache/cluster` that keeps the output of all processes, and in the end the executions and
	 * requests.
	 */
	name: string;
	workers: number;
	/** Further settings for all processes. */
	env?: Record<string, string>;
	/** A folder of workflows to import; default: none. */
	examples?: string;
	progress?: Progress;
}

/** Starts Redis, PostgreSQL, a main process and workers. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
	const { examples, progress = silentProgress } = options;
	const folders: string[] = [];
	const servers: Server[] = [];
	const workers: N8nProcess[] = [];
	let lab: Lab | undefined;
	let postgres: Server | undefined;
	const logFolder = path.join(clusterLogs, options.name);
	await rm(logFolder, { recursive: true, force: true });
	await mkdir(logFolder, { recursive: true });
	const stop = async () => {
		if (lab && postgres) await writeRecords(logFolder, lab, postgres);
		await Promise.all(workers.map(async (worker) => await worker.stop('SIGKILL')));
		await lab?.stop();
		for (const server of servers.reverse()) await server.stop();
		for (const folder of folders) await rm(folder, { recursive: true, force: true });
	};
	const createFolder = async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-queue-'));
		folders.push(folder);
		return folder;
	};
	try {
		const redis = await startRedis(logFolder);
		servers.push(redis);
		const database = await startPostgres(progress, logFolder);
		postgres = database;
		servers.push(database);
		const env = { ...createQueueEnvironment(redis, database), ...options.env };
		const mainLab = await startLab({
			userFolder: await createFolder(),
			sandbox: { registrations: 1 },
			examples,
			env,
			logFolder,
			progress,
		});
		lab = mainLab;
		let startedWorkerCount = 0;
		/** Starts a worker in a folder of its own, as on another machine. */
		const startWorker = async () => {
			const userFolder = await createFolder();
			await installPack(await buildPack(packCache, silentProgress), userFolder);
			const port = await findFreePort();
			const worker = await startN8n({
				node: mainLab.node,
				port,
				userFolder,
				command: 'worker',
				logFile: path.join(logFolder, `worker-${++startedWorkerCount}.log`),
				env: {
					...env,
					// Address of the main process.
					N8N_WEBHOOK_URL: `${mainLab.n8nUrl}/`,
					QUEUE_HEALTH_CHECK_ACTIVE: 'true',
					QUEUE_HEALTH_CHECK_PORT: `${port}`,
				},
			});
			workers.push(worker);
			return worker;
		};
		while (workers.length < options.workers) await startWorker();
		return { lab: mainLab, postgres: database, workers, startWorker, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Writes all executions and all requests to the services to files. They show whether a missing start was lost or late. */
async function writeRecords(folder: string, { sandbox }: Lab, postgres: Server): Promise<void> {
	const sql = `SELECT e.id, e."workflowId", e.status, e."createdAt", e."startedAt", e."stoppedAt", e."deduplicationKey", length(d.data) AS size FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id ORDER BY e.id`;
	const records = {
		executions: await query(postgres, sql).catch((error: unknown) => [String(error)]),
		requests: sandbox.requestLog.entries(),
	};
	for (const [name, list] of Object.entries(records)) {
		const lines = list.map((record) => `${JSON.stringify(record)}\n`);
		await writeFile(path.join(folder, `${name}.jsonl`), lines.join(''));
	}
}

const createQueueEnvironment = (redis: Server, postgres: Server): Record<string, string> => ({
	...killableEnv,
	EXECUTIONS_MODE: 'queue',
	N8N_ENCRYPTION_KEY: 'the same for all processes of this n8n',
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: `${redis.port}`,
	// When the lock of a job has expired, n8n considers the job's worker dead, and half a minute later it considers the job
	// failed. Here that takes less than a minute instead of two. A shorter lock would also expire for a worker that a busy
	// machine merely delays.
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
