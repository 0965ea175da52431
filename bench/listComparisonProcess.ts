import type { ICredentialType, INodeType } from 'n8n-workflow';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { runChild } from './harness/processes';
import { hostTrigger } from './harness/triggerHost';

/**
 * Child process of bench/measurements/comparing.ts. With the argument `serve` it serves the attendees. With `follow` it runs
 * the Event Data Trigger on n8n's own context over 10,000 attendees in one response, and sends the CPU time of the longest
 * event-loop turn in milliseconds.
 */

const RECORD_COUNT = 10_000;
const INTERVAL_SECONDS = 10;
const MEASURED_POLL_COUNT = 3;

const createAttendee = (index: number, updates: number) => ({
	id: `att_${index}`,
	eventId: 'evt_1',
	firstName: 'Ada',
	lastName: `Lovelace ${index}`,
	email: `ada${index}@email.example`,
	company: 'Analytical Engines',
	ticket: { type: 'Speaker', price: 120.5, paid: true },
	status: index % 3 === 0 ? 'registered' : 'confirmed',
	checkInTime: null,
	createdAt: '2026-10-01T09:00:00.000+02:00',
	updates: index % 1000 === 0 ? updates : 0,
});

/** Serves all attendees in one response; ten of them change with every poll. */
async function serve(): Promise<void> {
	let pollCount = 0;
	const server = createServer((request, response) => {
		const isAttendeeList = request.url!.startsWith('/attendees');
		const body = isAttendeeList
			? Array.from({ length: RECORD_COUNT }, (_, index) => createAttendee(index, pollCount))
			: { id: 'evt_1', name: 'Engines' };
		if (isAttendeeList) pollCount++;
		response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Measures the CPU time of each event-loop turn. Unlike elapsed time, it does not depend on other programs. */
function measureTurns(): { longestMs: number; stop: () => void } {
	const turns = { longestMs: 0, stop: () => undefined as void };
	let isStopped = false;
	let usageAtTurnStart = process.cpuUsage();
	const endTurn = () => {
		const { user, system } = process.cpuUsage(usageAtTurnStart);
		usageAtTurnStart = process.cpuUsage();
		turns.longestMs = Math.max(turns.longestMs, (user + system) / 1000);
		if (!isStopped) setImmediate(endTurn);
	};
	turns.stop = () => void (isStopped = true);
	setImmediate(endTurn);
	return turns;
}

/** Imports a file by its full name: without `.ts`, a name that ends in .node would be resolved as a native addon. */
const importFile = async <T>(file: string) => (await import(file)) as T;

async function followList(url: string): Promise<void> {
	const { EventDataTrigger } = await importFile<{ EventDataTrigger: new () => INodeType }>(
		'../nodes/EventData/EventDataTrigger.node.ts',
	);
	const { EventDataApi } = await importFile<{ EventDataApi: new () => ICredentialType }>(
		'../credentials/EventDataApi.credentials.ts',
	);
	const hostedRun = await hostTrigger({
		Node: EventDataTrigger,
		parameters: {
			triggerOn: ['attendeeUpdated'],
			where: 'oneEvent',
			eventId: { __rl: true, mode: 'id', value: 'evt_1' },
			options: { pollingInterval: INTERVAL_SECONDS },
		},
		Credential: EventDataApi,
		secret: { baseUrl: url, apiKey: 'key' },
	});
	// The first polls also compile the code that they run, so they do not count.
	await delay(1500 * INTERVAL_SECONDS);
	const executionsBefore = hostedRun.executions;
	const turns = measureTurns();
	await delay(1000 * INTERVAL_SECONDS * MEASURED_POLL_COUNT);
	turns.stop();
	if (hostedRun.errors[0]) throw hostedRun.errors[0];
	if (hostedRun.executions === executionsBefore) throw new Error('The trigger reported no change');
	process.send!(turns.longestMs);
}

const [role, url = ''] = process.argv.slice(2);
runChild(role === 'serve' ? serve() : followList(url));
