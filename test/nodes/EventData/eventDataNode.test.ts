import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/samples/sample';
import { useRig } from '../../support/sandboxRig';
import { sendJson, startToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

const rig = useRig();

const run = (resource: string, operation: string, parameters: object = {}, node: object = {}) =>
	rig.run('eventData', { resource, operation, ...parameters }, [{}], node);

type Paged = { pagination: { total: number } };

/** Requests the sandbox directly, so that expectations do not depend on the tested node. */
async function sendDirect<T = IDataObject>(path: string): Promise<T> {
	const { addresses, demo } = rig.sandbox;
	const { data } = await axios.get<T>(addresses.eventData + path, {
		headers: { [demo.eventData.headerName]: demo.eventData.apiKey },
	});
	return data;
}
const list = async (path: string): Promise<IDataObject[]> => {
	const body = await sendDirect<IDataObject[] | { data: IDataObject[] }>(path);
	return Array.isArray(body) ? body : body.data;
};
const countRequests = (operation: string) => rig.sandbox.requestLog.count('eventData', operation);

describe('Event: Get Many', () => {
	it('reads one page after the other until all events were read', async () => {
		const { pagination } = await sendDirect<Paged>('/events');
		const { outputItems } = await run('event', 'getMany', { returnAll: true });
		expect(pagination.total).toBeGreaterThanOrEqual(12);
		expect(outputItems).toHaveLength(pagination.total);
		expect(new Set(outputItems.map(({ id }) => id)).size).toBe(pagination.total);
	});

	it('returns events up to a limit', async () => {
		const { outputItems } = await run('event', 'getMany', { returnAll: false, limit: 3 });
		const first = await list('/events');
		expect(outputItems).toEqual(first.slice(0, 3));
	});

	it('filters events by status', async () => {
		const { outputItems } = await run('event', 'getMany', {
			returnAll: true,
			filters: { status: 'past' },
		});
		expect(outputItems.length).toBeGreaterThan(0);
		expect(outputItems.every(({ status }) => status === 'past')).toBe(true);
	});

	it.each(['bare', 'wrapped'])('Get Many reads %s lists', async (lists) => {
		const { pagination } = await sendDirect<Paged>('/events');
		rig.sandbox.settings.eventData.lists = lists;
		const { outputItems, error } = await run('event', 'getMany', { returnAll: true });
		expect(error).toBeUndefined();
		expect(new Set(outputItems.map(({ id }) => id)).size).toBe(pagination.total);
		expect(outputItems).toHaveLength(pagination.total);
	});

	it('returns one event with Get', async () => {
		const [first] = await list('/events');
		const { outputItems } = await run('event', 'get', { eventId: locateById(first!.id) });
		expect(outputItems).toEqual([await sendDirect(`/events/${first!.id}`)]);
	});
});

describe.each([
	['attendee', 'attendees', 'confirmed'],
	['registration', 'registrations', 'confirmed'],
	['session', 'sessions', undefined],
])('%s', (resource, path, status) => {
	it('Get Many filters by event and status', async () => {
		const [event] = await list('/events');
		const filters = { eventId: locateById(event!.id), ...(status && { status }) };
		const query = new URLSearchParams({ eventId: `${event!.id}`, ...(status && { status }) });
		const { outputItems } = await run(resource, 'getMany', { returnAll: true, filters });
		const expected = await list(`/${path}?${query}`);
		expect(expected.length).toBeGreaterThan(0);
		expect(outputItems).toEqual(expected);
	});

	it('Get Many returns up to 50 by default', async () => {
		const { outputItems } = await run(resource, 'getMany');
		expect(outputItems).toHaveLength(50);
	});

	it('Get returns one record', async () => {
		const [first] = await list(`/${path}`);
		const { outputItems } = await run(resource, 'get', {
			[`${resource}Id`]: locateById(first!.id),
		});
		expect(outputItems).toEqual([first]);
	});
});

describe('Update', () => {
	it('Update without chosen fields is rejected before any request', async () => {
		const { error } = await run('attendee', 'update', {
			attendeeId: locateById('att_1'),
			changes: {},
		});
		expect(error?.message).toBe('No fields to update');
		expect(rig.sandbox.requestLog.count('eventData')).toBe(0);
	});

	it('Update of an unknown record writes nothing', async () => {
		const { error } = await run('session', 'update', {
			sessionId: locateById('none'),
			changes: { title: 'x' },
		});
		expect(error?.message).toMatch(/^Event data service: /);
		expect(countRequests('updateSession')).toBe(0);
	});

	it('Update moves a session to another event and clears a text', async () => {
		const [session] = await list('/sessions');
		const other = (await list('/events')).find(({ id }) => id !== session!.eventId)!;
		await run('session', 'update', {
			sessionId: locateById(session!.id),
			changes: { eventId: locateById(other.id), speaker: '' },
		});
		expect(await sendDirect(`/sessions/${session!.id}`)).toEqual({
			...session,
			eventId: other.id,
			speaker: '',
		});
	});
});

describe('Update that only sends changes', () => {
	it('Update sends only the changes, and reads nothing first', async () => {
		const provider = await startToyServer();
		provider.respondWith((_, response) => sendJson(response, 200, { id: 'att_1', company: 'New' }));
		const { nodes, credentials, credentialData } = rig.kit;
		const kit = {
			nodes,
			credentials,
			credentialData: { eventDataApi: { ...credentialData.eventDataApi, baseUrl: provider.url } },
		};
		const { outputItems } = await runNode(kit, 'eventData', {
			resource: 'attendee',
			operation: 'update',
			attendeeId: locateById('att_1'),
			changes: { company: 'New' },
			options: { verb: 'PATCH' },
		});
		await provider.close();
		expect(outputItems).toEqual([{ id: 'att_1', company: 'New' }]);
		expect(provider.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
			['PATCH', '/attendees/att_1', '{"company":"New"}'],
		]);
	});
});

describe('session and registration values', () => {
	it('a session accepts times in the time zone of the workflow', async () => {
		const [event] = await list('/events');
		const { outputItems, error } = await run(
			'session',
			'create',
			{
				eventId: locateById(event!.id),
				title: 'Late addition',
				startTime: '2026-12-01T09:00:00',
				endTime: '2026-12-01T10:00:00+00:00',
				additionalFields: { capacity: 40, location: 'Hall 2' },
			},
			{ timezone: 'Europe/Berlin' },
		);
		expect(error).toBeUndefined();
		const stored = await sendDirect(`/sessions/${outputItems[0]!.id}`);
		expect(stored).toMatchObject({
			eventId: event!.id,
			title: 'Late addition',
			capacity: 40,
			location: 'Hall 2',
		});
		expect(Date.parse(`${stored.startTime}`)).toBe(Date.parse('2026-12-01T08:00:00Z'));
		expect(Date.parse(`${stored.endTime}`)).toBe(Date.parse('2026-12-01T10:00:00Z'));
	});

	it('a session without a valid date is rejected before any request', async () => {
		const { error } = await run('session', 'create', {
			eventId: locateById('evt_1'),
			title: 'x',
			startTime: '={{ "soon" }}',
			endTime: '2026-12-01T10:00:00Z',
		});
		expect(error?.message).toBe(`'Start Time' must be a date, not "soon"`);
		expect(countRequests('createSession')).toBe(0);
	});

	it.each([
		['={{ "40" }}', 40],
		['={{ " 0 " }}', 0],
	])('a session accepts the capacity %s as a number', async (capacity, number) => {
		const [event] = await list('/events');
		const { outputItems, error } = await run('session', 'create', {
			eventId: locateById(event!.id),
			title: 'x',
			startTime: '2026-12-01T09:00:00Z',
			endTime: '2026-12-01T10:00:00Z',
			additionalFields: { capacity },
		});
		expect(error).toBeUndefined();
		expect((await sendDirect(`/sessions/${outputItems[0]!.id}`)).capacity).toBe(number);
	});

	it('a session whose capacity was added and left empty keeps its capacity', async () => {
		const [session] = await list('/sessions');
		const changes = { title: 'Another title', capacity: '' };
		const { outputItems, error } = await run('session', 'update', {
			sessionId: locateById(session!.id),
			changes,
		});
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ title: 'Another title', capacity: session!.capacity });
	});

	it('a session with a capacity that is not a whole number is rejected before any request', async () => {
		const { error } = await run('session', 'update', {
			sessionId: locateById('ses_1'),
			changes: { capacity: '={{ "many" }}' },
		});
		expect(error?.message).toBe('\'Capacity\' must be a whole number, not "many"');
		expect(rig.sandbox.requestLog.count('eventData')).toBe(0);
	});

	it('the error for a rejected registration names the field and the reason', async () => {
		const [attendee] = await list('/attendees');
		const other = (await list('/events')).find(({ id }) => id !== attendee!.eventId)!;
		const { error } = await run('registration', 'create', {
			eventId: locateById(other.id),
			attendeeId: locateById(attendee!.id),
		});
		expect(error?.message).toMatch(/The registration cannot be saved; attendeeId: /);
	});
});
