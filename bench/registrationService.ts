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
 * client. `GET /requests` returns the number of requests.
 */
export async function startRegistrationService(registrationCounts: number[]): Promise<string> {
	const oldTimestamp = new Date(Date.now() - 90 * DAY_MS).toISOString();
	let createdCount = 0;
	const registrationsByEvent = registrationCounts.map((length) =>
		Array.from({ length }, () => createRegistration(++createdCount, oldTimestamp)),
	);
	let requestCount = 0;
	const handle = (request: IncomingMessage, response: ServerResponse) => {
		const url = new URL(request.url!, 'http://service');
		const send = (body: unknown) => {
			const text = JSON.stringify(body);
			response.setHeader('Content-Type', 'application/json').end(text);
		};
		if (url.pathname === '/requests') return send(requestCount);
		requestCount++;
		const [, eventId, listPath, registrationId] = PATH.exec(url.pathname)!;
		if (eventId === undefined)
			return send(registrationsByEvent.map((_, position) => createEvent(position + 1)));
		if (listPath === undefined) return send(createEvent(Number(eventId)));
		if (registrationId !== undefined)
			return send(createRegistration(Number(registrationId), oldTimestamp));
		const changedAfterMs = Date.parse(url.searchParams.get('lastUpdatedAfter') ?? '');
		const registrations = registrationsByEvent[Number(eventId) - 1]!;
		const matches = Number.isNaN(changedAfterMs)
			? registrations
			: registrations.filter(({ LastUpdated }) => Date.parse(LastUpdated) > changedAfterMs);
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
// As a process of its own: its argument is a JSON array with the number of pages of each event.
if (require.main === module) runChild(serve(JSON.parse(process.argv[2]!) as number[]));
