import { parse } from 'flatted';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startLab } from '../lab/lab';
import { unwrap } from '../lab/rest';
import { activateWorkflow, createWorkflow } from '../lab/workflows';
import type { Sandbox } from '../sandbox/server';

/** What a watcher must know of the sandbox. */
export type Service = Pick<Sandbox, 'addresses' | 'credentials' | 'controlUrl' | 'demo'>;

interface Execution {
	id: string;
	startedAt: string;
	data: string;
}

/** Watches IDs with the trigger in a real n8n. Gives when each of them started a workflow, by n8n's own account. */
export async function watchInN8n(service: Service, ids: string[]) {
	const userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-bench-'));
	const { rest, credentials, stop } = await startLab({ userFolder, sandbox: { registrations: 1 } });
	process.once('SIGTERM', () => {
		void stop()
			.then(async () => await rm(userFolder, { recursive: true, force: true }))
			.finally(() => process.exit());
	});

	const credential = credentials.find(({ type }) => type === 'twoFactorApi')!;
	const data = service.credentials.twoFactorApi;
	await rest.patch(`/credentials/${credential.id}`, { ...credential, data });
	const trigger = {
		id: '44444444-0000-4000-8000-000000000000',
		name: 'Decided',
		type: 'n8n-nodes-gatehouse.twoFactorTrigger',
		typeVersion: 1,
		position: [0, 0],
		credentials: { twoFactorApi: {} },
		parameters: { ids: ids.join(', ') },
	};
	const { id: workflowId } = await createWorkflow(
		rest,
		{ name: 'Bench', nodes: [trigger], connections: {} },
		credentials,
	);
	await activateWorkflow(rest, workflowId);

	return async (): Promise<Record<string, number>> => {
		const ends: Record<string, number> = {};
		const filter = JSON.stringify({ workflowId });
		let cursor: string | undefined;
		do {
			const page = unwrap<{ results: Execution[]; nextCursor?: string | null }>(
				(await rest.get('/executions', { params: { filter, limit: 100, cursor } })).data,
			);
			for (const { id } of page.results) {
				const execution = unwrap<Execution>((await rest.get(`/executions/${id}`)).data);
				const { resultData } = parse(execution.data) as Result;
				const { json } = resultData.runData.Decided![0]!.data.main[0]![0]!;
				ends[json.id] = Date.parse(execution.startedAt);
			}
			cursor = page.nextCursor ?? undefined;
		} while (cursor !== undefined);
		return ends;
	};
}

interface Result {
	resultData: {
		runData: Record<string, Array<{ data: { main: Array<Array<{ json: { id: string } }>> } }>>;
	};
}
