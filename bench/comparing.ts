import type { INodeType } from 'n8n-workflow';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type * as Hosting from '../test/triggers/host';
import { play } from './harness/processes';

/**
 * A process of bench/measurements/comparing.ts: follows 10,000 attendees, who come in one answer, with the Event Data Trigger on
 * n8n's own context, and says how much of the processor the longest turn of the event loop took, and how much a check took.
 */

const RECORDS = 10_000;
const INTERVAL_SECONDS = 10;
const CHECKS = 3;

const attendee = (index: number, change: number) => ({
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
	updates: index % 1000 === 0 ? change : 0,
});

/** Answers with all attendees at once; ten of them differ each time. */
async function serve(): Promise<void> {
	let polls = 0;
	const server = createServer((request, response) => {
		const isList = request.url!.startsWith('/attendees');
		const body = isList
			? Array.from({ length: RECORDS }, (_, index) => attendee(index, polls))
			: { id: 'evt_1', name: 'Engines' };
		if (isList) polls++;
		response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Hears how much of the processor each turn of the event loop took, which other programs do not change as they do its time. */
function watchTurns(): { longestMs: number; stop: () => void } {
	const turns = { longestMs: 0, stop: () => undefined as void };
	let isOver = false;
	let before = process.cpuUsage();
	const turn = () => {
		const { user, system } = process.cpuUsage(before);
		before = process.cpuUsage();
		turns.longestMs = Math.max(turns.longestMs, (user + system) / 1000);
		if (!isOver) setImmediate(turn);
	};
	turns.stop = () => void (isOver = true);
	setImmediate(turn);
	return turns;
}

// Named in full: without its ending, a file that ends in .node would be taken for a native module.
const load = async <T>(file: string) => (await import(file)) as T;

async function follow(url: string): Promise<void> {
	const { Host } = await load<typeof Hosting>('../test/triggers/host.ts');
	const { EventDataTrigger } = await load<{ EventDataTrigger: new () => INodeType }>(
		'../nodes/EventData/EventDataTrigger.node.ts',
	);
	const host = new Host(
		{ credentials: { eventDataApi: { baseUrl: url, apiKey: 'key' } } },
		[
			{
				type: 'eventDataTrigger',
				parameters: {
					triggerOn: ['attendeeUpdated'],
					where: 'oneEvent',
					eventId: { __rl: true, mode: 'id', value: 'evt_1' },
					options: { pollingInterval: INTERVAL_SECONDS },
				},
			},
		],
		'bench',
		() => ({ eventDataTrigger: EventDataTrigger }),
	);
	await host.start('init');
	// What runs for the first time is compiled in that turn.
	await delay(1500 * INTERVAL_SECONDS);
	const began = host.executions.length;
	const turns = watchTurns();
	await delay(1000 * INTERVAL_SECONDS * CHECKS);
	turns.stop();
	const problem = host.stopped[0] ?? host.failed[0];
	if (problem) throw problem;
	if (host.executions.length === began) throw new Error('No change was found');
	process.send!(turns.longestMs);
}

const [role, url = ''] = process.argv.slice(2);
play(role === 'serve' ? serve() : follow(url));
