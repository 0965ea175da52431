import { interleave, rowsOf } from '../harness/measurement';
import type { Contender, Measurement } from '../harness/measurement';
import type { BenchN8n, Workflow } from '../harness/n8n';
import { count, ifNode, requireAll, split } from '../harness/nodes';
import { registrationNodes } from '../harness/registrations';
import type { RegistrationNodes } from '../harness/registrations';

/** An event that is not large: the sandbox looks through all of its registrations in each search. */
const EVENT = 1015;
/** Required values of the event's form besides names. */
const FORM = { Company: 'Analytical Engines', Country: 'United Kingdom' };
const LATENCY_MS = 20;
const PAGE = 200;
const FIELD = 'RegistrationId';
const RIVAL = 'HTTP Request, If, HTTP Request';
const ONE = 'Gatehouse, one at a time';
const TEN = 'Gatehouse, ten at a time';
const FIFTY = 'Gatehouse, fifty at a time';

interface Person {
	email: string;
	first: string;
	last: string;
}

const nameOf = (people: number) => `${people.toLocaleString('en')} people`;

/** People of whom the service knows every second one; the others are new each time. */
async function crowd({ url, headers }: RegistrationNodes) {
	const times = new Map<string, number>();
	for (let page = 1, length = PAGE; length === PAGE; page++) {
		const response = await fetch(`${url}?page=${page}&pageSize=${PAGE}`, { headers });
		const records = (await response.json()) as Array<{ Email: string }>;
		for (const { Email } of records) times.set(Email, (times.get(Email) ?? 0) + 1);
		({ length } = records);
	}
	// Records with the same address cannot be distinguished.
	const known = [...times].filter(([, seen]) => seen === 1).map(([email]) => email);
	let newcomers = 0;
	return (size: number): Person[] =>
		Array.from({ length: size }, (_, index) => ({
			email: index % 2 ? known[index >> 1]! : `newcomer${newcomers++}@email.example`,
			first: 'Ada',
			last: `Lovelace ${index}`,
		}));
}

const to = (node: string, index = 0) => ({ node, type: 'main', index });

/** The workflow that users build without the pack: search by email, then update the person found or add a new one. */
async function withoutPack(n8n: BenchN8n, { url, theirs }: RegistrationNodes): Promise<Workflow> {
	const json = (jsonBody: string) => ({ sendBody: true, specifyBody: 'json', jsonBody });
	const person = "$('Split Out').item.json.id";
	const custom = Object.entries(FORM).map(([Name, Value]) => ({ Name, Value }));
	const body = `={{ { Email: ${person}.email, FirstName: ${person}.first, LastName: ${person}.last, CustomFields: ${JSON.stringify(custom)} } }}`;
	const nodes = [
		split('body.people'),
		theirs('Search', `${url}/search`, {
			method: 'POST',
			...json('={{ { Email: $json.id.email } }}'),
			options: { response: { response: { fullResponse: true } } },
		}),
		ifNode({
			id: 'found',
			leftValue: '={{ $json.body.length }}',
			rightValue: 0,
			operator: { type: 'number', operation: 'gt' },
		}),
		theirs('Change', `=${url}/{{ $json.body[0].RegistrationId }}`, {
			method: 'PATCH',
			...json(body),
		}),
		theirs('Add', url, { method: 'POST', ...json(body) }),
		{
			name: 'Merge',
			type: 'n8n-nodes-base.merge',
			typeVersion: 3,
			parameters: { mode: 'append', numberInputs: 2 },
		},
		count(FIELD),
	];
	return await n8n.open(nodes, {
		If: { main: [[to('Change')], [to('Add')]] },
		Change: { main: [[to('Merge')]] },
		Add: { main: [[to('Merge', 1)]] },
	});
}

async function withPack(n8n: BenchN8n, { ours }: RegistrationNodes, itemsAtATime: number) {
	const save = ours('createOrUpdate', {
		email: '={{ $json.id.email }}',
		details: {
			mappingMode: 'defineBelow',
			value: { FirstName: '={{ $json.id.first }}', LastName: '={{ $json.id.last }}', ...FORM },
		},
		simplify: false,
		options: { itemsAtATime },
	});
	return await n8n.open([split('body.people'), save, count(FIELD)]);
}

/** Create or Update of many people. */
export const bulk: Measurement = {
	name: 'bulk',
	title: 'Create or Update of many people',
	about: `Every second of the people is registered already and is changed; the others are added. The service answers after ${LATENCY_MS} ms. Without the pack it is a search by HTTP Request, an If, and two more of them, each of which sends all of its requests at once. The pack sends ten at a time by default (_Max Concurrent Items_); people with the same address wait for each other.`,
	async run(bench) {
		const n8n = await bench.n8n();
		const nodes = registrationNodes(n8n, EVENT);
		const people = await crowd(nodes);
		const { requestLog } = n8n.lab.sandbox;
		const requests = () => requestLog.count('eventRegistration');
		const save = (workflow: Workflow, size: number): Contender => {
			return async () => {
				const before = requests();
				const some = people(size);
				const shown = await n8n.measure(async () =>
					requireAll(await workflow({ people: some }), FIELD, size),
				);
				return { ...shown, requests: requests() - before };
			};
		};
		const rival = await withoutPack(n8n, nodes);
		const [one, ten, fifty] = [
			await withPack(n8n, nodes, 1),
			await withPack(n8n, nodes, 10),
			await withPack(n8n, nodes, 50),
		];
		n8n.delayResponses('eventRegistration', LATENCY_MS);
		const contenders = (size: number) => ({
			[RIVAL]: save(rival, size),
			[TEN]: save(ten, size),
			[FIFTY]: save(fifty, size),
		});
		const rows = [
			await interleave(bench, { name: nameOf(100) }, { ...contenders(100), [ONE]: save(one, 100) }),
			await interleave(bench, { name: nameOf(1000) }, contenders(1000), true),
		];
		n8n.delayResponses('eventRegistration', 0);
		const usual = { rowHeader: 'written', contenders: [RIVAL, ONE, TEN, FIFTY] };
		return [
			{
				...usual,
				name: 'bulk',
				caption: 'Time, from the call of the webhook to its answer:',
				unit: 's',
				rows: rowsOf(rows, 'time'),
			},
			{
				...usual,
				name: 'bulk-requests',
				caption: 'Requests that the service received:',
				unit: 'requests',
				rows: rowsOf(rows, 'requests'),
				shown: 'table',
			},
		];
	},
};
