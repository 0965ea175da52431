import { parse } from 'flatted';

import { listExecutions } from '../../lab/drive/executions';
import { connectTo, publishWorkflow, oneSecondWaitNode } from '../../lab/drive/workflowParts';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';
import type { RestClient } from '../../lab/rest';
import type { WorkflowFile } from '../../lab/workflows';
import { locateById } from '../support/locators';
import type { Reading } from './tally';

const READ_INTERVAL_S = 10;
/** Short limits: a slow response must not delay the next reading. */
const options = { timeLimit: 5, tries: 4, longestWait: 5 };

const schedule = {
	id: '33333333-0000-4000-8000-000000000001',
	name: 'Now and Then',
	type: 'n8n-nodes-base.scheduleTrigger',
	typeVersion: 1.2,
	position: [0, 0],
	parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: READ_INTERVAL_S }] } },
};
const listNames = ['Registrations', 'Sessions'];

/** Publishes a workflow that reads two lists with the pack's nodes at intervals. Returns its ID. */
export async function openReader({ rest, credentials }: Lab): Promise<string> {
	const common = { typeVersion: 1, executeOnce: true };
	const nodes: WorkflowFile['nodes'] = [
		schedule,
		{
			...common,
			id: '33333333-0000-4000-8000-000000000002',
			name: listNames[0]!,
			type: 'n8n-nodes-gatehouse.eventData',
			position: [200, 0],
			credentials: { eventDataApi: {} },
			parameters: { resource: 'registration', operation: 'getMany', returnAll: true, options },
		},
		{
			...common,
			id: '33333333-0000-4000-8000-000000000003',
			name: listNames[1]!,
			type: 'n8n-nodes-gatehouse.eventRegistration',
			position: [400, 0],
			credentials: { eventRegistrationApi: {} },
			parameters: {
				resource: 'session',
				operation: 'getMany',
				eventId: locateById('1001'),
				returnAll: true,
				options,
			},
		},
	];
	return await publishWorkflow(
		rest,
		{
			name: 'Reads lists',
			nodes,
			connections: {
				[schedule.name]: connectTo(listNames[0]!),
				[listNames[0]!]: connectTo(listNames[1]!),
			},
		},
		credentials,
	);
}

/** Publishes workflows with the same amount of work without the pack: a list, and an execution per POST. Returns the URL for the POST. */
export async function openPlainWorkflows(
	{ rest, n8n }: { rest: RestClient; n8n: { url: string } },
	{ sandbox }: Lab,
): Promise<string> {
	const { apiKey, headerName } = sandbox.demo.eventData;
	const request = {
		id: '33333333-0000-4000-8000-000000000004',
		name: 'Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		position: [200, 0],
		parameters: {
			url: `${sandbox.addresses.eventData}/registrations`,
			sendHeaders: true,
			headerParameters: { parameters: [{ name: headerName, value: apiKey }] },
			options: {},
		},
	};
	const webhook = {
		id: '33333333-0000-4000-8000-000000000005',
		name: 'Ended',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		position: [0, 0],
		webhookId: 'soak-ended',
		parameters: { httpMethod: 'POST', path: 'soak-ended', options: {} },
	};
	const connections = { [schedule.name]: connectTo(request.name) };
	await publishWorkflow(
		rest,
		{ name: 'Reads a list', nodes: [schedule, request], connections },
		[],
	);
	const endingWorkflow = {
		name: 'Ends',
		nodes: [webhook, oneSecondWaitNode('soak-work')],
		connections: { Ended: connectTo('Work') },
	};
	await publishWorkflow(rest, endingWorkflow, []);
	return `${n8n.url}/webhook/soak-ended`;
}

interface Execution {
	id: string;
	status: string;
	data: string;
}

/** Returns the result of each reading. */
export async function readResults({ rest }: Lab, workflowId: string): Promise<Reading[]> {
	const results: Reading[] = [];
	for (const { id } of await listExecutions(rest, { workflowId })) {
		const { status, data } = unwrap<Execution>((await rest.get(`/executions/${id}`)).data);
		const { runData, error } = (parse(data) as StoredData).resultData;
		const count = (node: string) => runData[node]?.[0]?.data?.main[0]?.length ?? 0;
		results.push({ status, error: error?.message, counts: listNames.map(count) });
	}
	return results;
}

interface StoredData {
	resultData: {
		runData: Record<string, Array<{ data?: { main: unknown[][] } }>>;
		error?: { message: string };
	};
}
