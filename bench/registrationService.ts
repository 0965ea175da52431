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

const PAGE = 200;
const PATH = /^\/api\/v1\/events(?:\/(\d+))?(\/registrations)?(?:\/(\d+))?$/;
const DAY_MS = 86_400_000;

/**
 * An event registration service with many events and nothing else, as fast as possible, so that the benchmark measures its
 * client. `POST /register/{event}` registers a person; `GET /requests` returns the number of requests.
 */
export async function startService(sizes: number[]): Promise<string> {
	const old = new Date(Date.now() - 90 * DAY_MS).toISOString();
	let made = 0;
	const lists = sizes.map((size) => Array.from({ length: size }, () => registration(++made, old)));
	let requests = 0;
	const handle = (request: IncomingMessage, response: ServerResponse) => {
		const url = new URL(request.url!, 'http://service');
		const send = (body: unknown) => {
			const text = JSON.stringify(body);
			response.setHeader('Content-Type', 'application/json').end(text);
		};
		const [, action, id = ''] = /^\/(register|requests)\/?(\d*)$/.exec(url.pathname) ?? [];
		if (action === 'requests') return send(requests);
		if (action === 'register') {
			const list = lists[Number(id)]!;
			list.push(registration(9_000_000 + requests + list.length, new Date().toISOString()));
			return send(list.at(-1));
		}
		requests++;
		const [, event, list, one] = PATH.exec(url.pathname)!;
		if (event === undefined) return send(lists.map((_, index) => eventOf(index + 1)));
		if (list === undefined) return send(eventOf(Number(event)));
		if (one !== undefined) return send(registration(Number(one), old));
		const after = Date.parse(url.searchParams.get('lastUpdatedAfter') ?? '');
		const found = Number.isNaN(after)
			? lists[Number(event) - 1]!
			: lists[Number(event) - 1]!.filter(({ LastUpdated }) => Date.parse(LastUpdated) > after);
		const page = Number(url.searchParams.get('page') ?? 1);
		return send(found.slice((page - 1) * PAGE, page * PAGE));
	};
	const server = createServer(handle);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const eventOf = (EventId: number) => ({
	EventId,
	Name: `Event ${EventId}`,
	EndDate: new Date(Date.now() + 30 * DAY_MS).toISOString(),
});

const registration = (RegistrationId: number, at: string): Registration => ({
	RegistrationId,
	FirstName: 'Ada',
	LastName: `Lovelace ${RegistrationId}`,
	Email: `ada${RegistrationId}@email.example`,
	RegistrationStatus: 'Confirmed',
	RegistrationDate: at,
	LastUpdated: at,
	CustomFields: [{ Name: 'Company', Value: 'Analytical Engines' }],
});

const serve = async (pages: number[]) =>
	void process.send!(await startService(pages.map((count) => count * PAGE)));
// Runs in a process of its own, with events of these page counts.
if (require.main === module) runChild(serve(JSON.parse(process.argv[2]!) as number[]));
