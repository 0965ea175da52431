import { interleave, collectRows } from '../harness/measurement';
import type { Contender, Measurement } from '../harness/measurement';
import type { BenchN8n, CallWorkflow } from '../harness/n8n';
import {
	createCountNode,
	createIfNode,
	createJsonBody,
	requireUniqueItems,
	createSplitNode,
} from '../harness/nodes';
import { createRegistrationNodes } from '../harness/registrationNodes';
import type { RegistrationNodes } from '../harness/registrationNodes';

/** A small event, because the sandbox searches through all registrations of the event each time. */
const EVENT_ID = 1015;
/** Required values of the event's form besides names. */
const FORM_VALUES = { Company: 'Analytical Engines', Country: 'United Kingdom' };
const LATENCY_MS = 20;
const PAGE_SIZE = 200;
const FIELD = 'RegistrationId';
const HTTP_REQUESTS_AND_IF = 'HTTP Request, If, HTTP Request';
const GATEHOUSE_1 = 'Gatehouse, one at a time';
const GATEHOUSE_10 = 'Gatehouse, ten at a time';
const GATEHOUSE_50 = 'Gatehouse, fifty at a time';

interface Person {
	email: string;
	first: string;
	last: string;
}

const formatRowName = (peopleCount: number) => `${peopleCount.toLocaleString('en')} people`;

/** Returns a function that creates people. The service knows every second person; the others are new each time. */
async function createPeopleFactory({ url, headers }: RegistrationNodes) {
	const countByEmail = new Map<string, number>();
	for (let page = 1, length = PAGE_SIZE; length === PAGE_SIZE; page++) {
		const response = await fetch(`${url}?page=${page}&pageSize=${PAGE_SIZE}`, { headers });
		const records = (await response.json()) as Array<{ Email: string }>;
		for (const { Email } of records) countByEmail.set(Email, (countByEmail.get(Email) ?? 0) + 1);
		({ length } = records);
	}
	// Records with the same address cannot be distinguished.
	const knownEmails = [...countByEmail].filter(([, count]) => count === 1).map(([email]) => email);
	let newcomerCount = 0;
	return (size: number): Person[] =>
		Array.from({ length: size }, (_, index) => ({
			email: index % 2 ? knownEmails[index >> 1]! : `newcomer${newcomerCount++}@email.example`,
			first: 'Ada',
			last: `Lovelace ${index}`,
		}));
}

const connectTo = (node: string, index = 0) => ({ node, type: 'main', index });

/** Opens the workflow that users build without the pack: search by email, then update the person found or add a new one. */
async function openWithoutPack(
	n8n: BenchN8n,
	{ url, createHttpNode }: RegistrationNodes,
): Promise<CallWorkflow> {
	const personExpression = "$('Split Out').item.json.id";
	const customFields = Object.entries(FORM_VALUES).map(([Name, Value]) => ({ Name, Value }));
	const body = `={{ { Email: ${personExpression}.email, FirstName: ${personExpression}.first, LastName: ${personExpression}.last, CustomFields: ${JSON.stringify(customFields)} } }}`;
	const nodes = [
		createSplitNode('body.people'),
		createHttpNode('Search', `${url}/search`, {
			method: 'POST',
			...createJsonBody('={{ { Email: $json.id.email } }}'),
			options: { response: { response: { fullResponse: true } } },
		}),
		createIfNode({
			id: 'found',
			leftValue: '={{ $json.body.length }}',
			rightValue: 0,
			operator: { type: 'number', operation: 'gt' },
		}),
		createHttpNode('Change', `=${url}/{{ $json.body[0].RegistrationId }}`, {
			method: 'PATCH',
			...createJsonBody(body),
		}),
		createHttpNode('Add', url, { method: 'POST', ...createJsonBody(body) }),
		{
			name: 'Merge',
			type: 'n8n-nodes-base.merge',
			typeVersion: 3,
			parameters: { mode: 'append', numberInputs: 2 },
		},
		createCountNode(FIELD),
	];
	return await n8n.openWorkflow(nodes, {
		If: { main: [[connectTo('Change')], [connectTo('Add')]] },
		Change: { main: [[connectTo('Merge')]] },
		Add: { main: [[connectTo('Merge', 1)]] },
	});
}

async function openWithPack(
	n8n: BenchN8n,
	{ createPackNode }: RegistrationNodes,
	itemsAtATime: number,
) {
	const saveNode = createPackNode('createOrUpdate', {
		email: '={{ $json.id.email }}',
		details: {
			mappingMode: 'defineBelow',
			value: {
				FirstName: '={{ $json.id.first }}',
				LastName: '={{ $json.id.last }}',
				...FORM_VALUES,
			},
		},
		simplify: false,
		options: { itemsAtATime },
	});
	return await n8n.openWorkflow([createSplitNode('body.people'), saveNode, createCountNode(FIELD)]);
}

/** Measures Create or Update of many people. */
export const bulk: Measurement = {
	name: 'bulk',
	title: 'Create or Update of many people',
	method: `Every second person is already registered and is updated; the others are added. The service answers after ${LATENCY_MS} ms. Without the pack, an HTTP Request node searches, an If node decides, and two more HTTP Request nodes update or add; each of them sends all of its requests at once. The pack sends ten requests at a time by default (_Max Concurrent Items_); people with the same address wait for each other.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const nodes = createRegistrationNodes(n8n, EVENT_ID);
		const createPeople = await createPeopleFactory(nodes);
		const { requestLog } = n8n.lab.sandbox;
		const countRequests = () => requestLog.count('eventRegistration');
		const measureSaving = (workflow: CallWorkflow, size: number): Contender => {
			return async () => {
				const requestsBefore = countRequests();
				const people = createPeople(size);
				const metrics = await n8n.measure(async () =>
					requireUniqueItems(await workflow({ people }), FIELD, size),
				);
				return { ...metrics, requests: countRequests() - requestsBefore };
			};
		};
		const httpWorkflow = await openWithoutPack(n8n, nodes);
		const [workflow1, workflow10, workflow50] = [
			await openWithPack(n8n, nodes, 1),
			await openWithPack(n8n, nodes, 10),
			await openWithPack(n8n, nodes, 50),
		];
		const createContenders = (size: number) => ({
			[HTTP_REQUESTS_AND_IF]: measureSaving(httpWorkflow, size),
			[GATEHOUSE_10]: measureSaving(workflow10, size),
			[GATEHOUSE_50]: measureSaving(workflow50, size),
		});
		const rowsByMetric = await n8n.withDelay('eventRegistration', LATENCY_MS, async () => [
			await interleave(
				bench,
				{ name: formatRowName(100) },
				{ ...createContenders(100), [GATEHOUSE_1]: measureSaving(workflow1, 100) },
			),
			await interleave(bench, { name: formatRowName(1000) }, createContenders(1000), true),
		]);
		const sharedFields = {
			rowHeader: 'written',
			contenders: [HTTP_REQUESTS_AND_IF, GATEHOUSE_1, GATEHOUSE_10, GATEHOUSE_50],
		};
		return [
			{
				...sharedFields,
				name: 'bulk',
				caption: 'Time, from the call of the webhook to its answer:',
				unit: 's',
				rows: collectRows(rowsByMetric, 'time'),
			},
			{
				...sharedFields,
				name: 'bulk-requests',
				caption: 'Requests that the service received:',
				unit: 'requests',
				rows: collectRows(rowsByMetric, 'requests'),
				display: 'table',
			},
		];
	},
};
