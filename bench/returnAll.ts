import axios from 'axios';
import type { INodeType } from 'n8n-workflow';
import { once } from 'node:events';

import { EventRegistrationApi } from '../credentials/EventRegistrationApi.credentials';
import { startSandbox } from '../sandbox/server';
import type * as Support from '../test/support/workflow';
import { play, quantile, result, start } from './processes';

/**
 * Return All of an event with 100,000 registrations, on n8n's own engine, beside a plain axios loop over the same pages in
 * the same run. Says whether the list is complete and without duplicates, how many requests it took, how long, and how
 * much memory. The service and every reading are processes of their own. Run it with: npx tsx bench/returnAll.ts
 */

const RECORDS = 100_000;
const PAGE = 200;
/** This event has 11 of 100 parts of the demo data, so that it has exactly that many registrations. */
const EVENT = 1010;
const SEASON = Math.ceil(RECORDS / 0.11);
/** One request to detect the first page's number, one to see the end. */
const REQUESTS = { node: RECORDS / PAGE + 2, plain: RECORDS / PAGE + 1 };
const ROUNDS = 3;

type Reader = keyof typeof REQUESTS;

interface Service {
	baseUrl: string;
	controlUrl: string;
	apiKey: string;
	headerName: string;
}

interface Reading {
	records: number;
	distinct: number;
	seconds: number;
	/** The most that the process took, and how much of it above what it had before, in bytes. */
	peak: number;
	memory: number;
}

async function serve(): Promise<void> {
	const { controlUrl, credentials } = await startSandbox({ registrations: SEASON });
	process.send!({ controlUrl, ...credentials.eventRegistrationApi });
}

/** Runs a reading and measures it; what it gives are the ids of the records, in order. */
async function measured(read: () => Promise<unknown[]>): Promise<Reading> {
	const before = process.memoryUsage.rss();
	const started = performance.now();
	const ids = await read();
	const seconds = (performance.now() - started) / 1000;
	const peak = process.resourceUsage().maxRSS * 1024;
	const distinct = new Set(ids).size;
	return { records: ids.length, distinct, seconds, peak, memory: peak - before };
}

async function readPlainly({ baseUrl, headerName, apiKey }: Service): Promise<unknown[]> {
	const url = `${baseUrl}/api/v1/events/${EVENT}/registrations`;
	const all: Array<{ RegistrationId: number }> = [];
	for (let page = 1; ; page++) {
		const { data } = await axios.get<typeof all>(url, {
			params: { page, pageSize: PAGE },
			headers: { [headerName]: apiKey },
		});
		all.push(...data);
		if (data.length < PAGE) return all.map(({ RegistrationId }) => RegistrationId);
	}
}

/** Loads n8n and the node first, and only here: what loading takes does not count. */
async function prepareNode(service: Service): Promise<() => Promise<unknown[]>> {
	// Named in full: without its ending, a file that ends in .node would be taken for a native module.
	const load = async (file: string) => (await import(file)) as unknown;
	const { EventRegistration } = (await load(
		'../nodes/EventRegistration/EventRegistration.node.ts',
	)) as { EventRegistration: new () => INodeType };
	const { runNode } = (await load('../test/support/workflow.ts')) as typeof Support;
	const kit = {
		nodes: { eventRegistration: EventRegistration },
		credentials: [EventRegistrationApi],
		secrets: { eventRegistrationApi: { ...service } },
	};
	return async () => {
		const { out, error, hints } = await runNode(kit, 'eventRegistration', {
			resource: 'registration',
			operation: 'getMany',
			eventId: { __rl: true, mode: 'id', value: `${EVENT}` },
			returnAll: true,
			simplify: false,
		});
		if (error) throw error;
		if (hints.length > 0) throw new Error(hints[0]!.message);
		return out.map(({ RegistrationId }) => RegistrationId);
	};
}

async function read(reader: Reader): Promise<void> {
	const [service] = (await once(process, 'message')) as [Service];
	const run = reader === 'node' ? await prepareNode(service) : () => readPlainly(service);
	process.send!(await measured(run));
	process.disconnect();
}

async function countRequests({ controlUrl }: Service): Promise<number> {
	const { data } = await axios.get<{ eventRegistration?: { getManyRegistrations?: number } }>(
		`${controlUrl}/journal/counts`,
	);
	return data.eventRegistration?.getManyRegistrations ?? 0;
}

async function round(reader: Reader, service: Service): Promise<Reading> {
	const before = await countRequests(service);
	const child = start(__filename, reader);
	child.send(service);
	const reading = await result<Reading>(child);
	const requests = (await countRequests(service)) - before;
	const { records, distinct } = reading;
	if (records !== RECORDS || distinct !== RECORDS || requests !== REQUESTS[reader]) {
		throw new Error(
			`${reader}: ${records} records, ${distinct} distinct, ${requests} requests, not ${REQUESTS[reader]}`,
		);
	}
	return reading;
}

async function main(): Promise<void> {
	const server = start(__filename, 'serve');
	try {
		const service = await result<Service>(server);
		const readings: Record<Reader, Reading[]> = { plain: [], node: [] };
		// In turns, so that whatever else the machine does hits both alike.
		for (let turn = 0; turn < ROUNDS; turn++) {
			for (const reader of ['plain', 'node'] as const) {
				readings[reader].push(await round(reader, service));
			}
		}
		const of = (reader: Reader, key: 'seconds' | 'memory' | 'peak') =>
			quantile(readings[reader].map((reading) => reading[key]));
		const megabytes = (reader: Reader, key: 'memory' | 'peak') =>
			`${(of(reader, key) / 2 ** 20).toFixed(0)} MB`;
		const line = (name: string, reader: Reader) =>
			console.log(
				`${name.padEnd(28)} ${RECORDS} records, none twice, ${REQUESTS[reader]} requests, ${of(reader, 'seconds').toFixed(2)} s, ${megabytes(reader, 'memory')} more memory, ${megabytes(reader, 'peak')} at its peak`,
			);
		line('plain axios loop', 'plain');
		line("Return All on n8n's engine", 'node');
		const ratio = (key: 'seconds' | 'memory') => (of('node', key) / of('plain', key)).toFixed(2);
		console.log(`ratio: ${ratio('seconds')} in time, ${ratio('memory')} in memory`);
	} finally {
		server.kill();
	}
}

const [role] = process.argv.slice(2);
play(role === 'serve' ? serve() : role === 'node' || role === 'plain' ? read(role) : main());
