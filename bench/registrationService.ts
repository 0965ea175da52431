import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { runChild } from './harness/processes';

/** The fields of a registration that a trigger reads. */
interface Registration {
	RegistrationId: number;
	FirstName: string;
	LastName: string;
	Email: string;
	RegistrationStatus: string;
	RegistrationDate: string;
	LastUpdated: string;
	CustomFields: Array<{ Name: string; Value: string }>;
}

const PAGE_SIZE = 200;
const PATH = /^\/api\/v1\/events(?:\/(\d+))?(\/registrations)?(?:\/(\d+))?$/;
const DAY_MS = 86_400_000;

/**
 * An event registration service with many events and nothing else, as fast as possible, so that the benchmark measures its
 * client. `POST /register/{event}` registers a person; `GET /requests` returns the number of requests.
 */
export async function startRegistrationService(sizes: number[]): Promise<string> {
	const oldTime = new Date(Date.now() - 90 * DAY_MS).toISOString();
	let createdCount = 0;
	const lists = sizes.map((size) =>
		Array.from({ length: size }, () => createRegistration(++createdCount, oldTime)),
	);
	let requestCount = 0;
	const handle = (request: IncomingMessage, response: ServerResponse) => {
		const url = new URL(request.url!, 'http://service');
		const send = (body: unknown) => {
			const text = JSON.stringify(body);
			response.setHeader('Content-Type', 'application/json').end(text);
		};
		const [, action, id = ''] = /^\/(register|requests)\/?(\d*)$/.exec(url.pathname) ?? [];
		if (action === 'requests') return send(requestCount);
		if (action === 'register') {
			const list = lists[Number(id)]!;
			list.push(
				createRegistration(9_000_000 + requestCount + list.length, new Date().toISOString()),
			);
			return send(list.at(-1));
		}
		requestCount++;
		const [, event, list, registrationId] = PATH.exec(url.pathname)!;
		if (event === undefined) return send(lists.map((_, index) => createEvent(index + 1)));
		if (list === undefined) return send(createEvent(Number(event)));
		if (registrationId !== undefined)
			return send(createRegistration(Number(registrationId), oldTime));
		const after = Date.parse(url.searchParams.get('lastUpdatedAfter') ?? '');
		const matches = Number.isNaN(after)
			? lists[Number(event) - 1]!
			: lists[Number(event) - 1]!.filter(({ LastUpdated }) => Date.parse(LastUpdated) > after);
		const page = Number(url.searchParams.get('page') ?? 1);
		return send(matches.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE));
	};
	const server = createServer(handle);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const createEvent = (EventId: number) => ({
	EventId,
	Name: `Event ${EventId}`,
	EndDate: new Date(Date.now() + 30 * DAY_MS).toISOString(),
});

const createRegistration = (RegistrationId: number, timestamp: string): Registration => ({
	RegistrationId,
	FirstName: 'Ada',
	LastName: `Lovelace ${RegistrationId}`,
	Email: `ada${RegistrationId}@email.example`,
	RegistrationStatus: 'Confirmed',
	RegistrationDate: timestamp,
	LastUpdated: timestamp,
	CustomFields: [{ Name: 'Company', Value: 'Analytical Engines' }],
});

const serve = async (pageCounts: number[]) =>
	void process.send!(await startRegistrationService(pageCounts.map((count) => count * PAGE_SIZE)));
// Runs in a process of its own, with events of these page counts.
if (require.main === module) runChild(serve(JSON.parse(process.argv[2]!) as number[]));
