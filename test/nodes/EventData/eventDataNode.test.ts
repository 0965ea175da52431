// Protects the operations of Event Data: the output has the records of the service, and an update changes only its fields.
import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { useRig } from '../../support/sandboxRig';

const rig = useRig();

const runOperation = (
	resource: string,
	operation: string,
	parameters: object = {},
	node: object = {},
) => rig.run('eventData', { resource, operation, ...parameters }, [{}], node);

type PagedResponse = { pagination: { total: number } };

/** Requests the sandbox directly, so that expectations do not depend on the tested node. */
async function sendDirect<T = IDataObject>(path: string): Promise<T> {
	const { addresses, demo } = rig.sandbox;
	const { data } = await axios.get<T>(addresses.eventData + path, {
		headers: { [demo.eventData.headerName]: demo.eventData.apiKey },
	});
	return data;
}
const readRecords = async (path: string): Promise<IDataObject[]> => {
	const body = await sendDirect<IDataObject[] | { data: IDataObject[] }>(path);
	return Array.isArray(body) ? body : body.data;
};
const countRequests = (operation: string) => rig.sandbox.requestLog.count('eventData', operation);

describe('Event: Get Many', () => {
	it('outputs the events of all pages, each once', async () => {
		const { pagination } = await sendDirect<PagedResponse>('/events');
		const { outputItems } = await runOperation('event', 'getMany', { returnAll: true });
		expect(pagination.total).toBeGreaterThanOrEqual(12);
		expect(outputItems).toHaveLength(pagination.total);
		expect(new Set(outputItems.map(({ id }) => id)).size).toBe(pagination.total);
	});

	it('outputs events up to the limit', async () => {
		const { outputItems } = await runOperation('event', 'getMany', { returnAll: false, limit: 3 });
		const firstPage = await readRecords('/events');
		expect(outputItems).toEqual(firstPage.slice(0, 3));
	});

	it('outputs only events with the chosen status', async () => {
		const { outputItems } = await runOperation('event', 'getMany', {
			returnAll: true,
			filters: { status: 'past' },
		});
		expect(outputItems.length).toBeGreaterThan(0);
		expect(outputItems.every(({ status }) => status === 'past')).toBe(true);
	});

	it.each(['bare', 'wrapped'])('outputs all events of %s lists', async (listFormat) => {
		const { pagination } = await sendDirect<PagedResponse>('/events');
		rig.sandbox.settings.eventData.lists = listFormat;
		const { outputItems, error } = await runOperation('event', 'getMany', { returnAll: true });
		expect(error).toBeUndefined();
		expect(new Set(outputItems.map(({ id }) => id)).size).toBe(pagination.total);
		expect(outputItems).toHaveLength(pagination.total);
	});
});

describe('Event: Get', () => {
	it('outputs one event', async () => {
		const [first] = await readRecords('/events');
		const { outputItems } = await runOperation('event', 'get', { eventId: locateById(first!.id) });
		expect(outputItems).toEqual([await sendDirect(`/events/${first!.id}`)]);
	});
});

describe.each([
	['attendee', 'attendees', 'confirmed'],
	['registration', 'registrations', 'confirmed'],
	['session', 'sessions', undefined],
])('%s', (resource, path, status) => {
	it('Get Many outputs the records of the chosen event and status', async () => {
		const [event] = await readRecords('/events');
		const filters = { eventId: locateById(event!.id), ...(status && { status }) };
		const query = new URLSearchParams({ eventId: `${event!.id}`, ...(status && { status }) });
		const { outputItems } = await runOperation(resource, 'getMany', { returnAll: true, filters });
		const expected = await readRecords(`/${path}?${query}`);
		expect(expected.length).toBeGreaterThan(0);
		expect(outputItems).toEqual(expected);
	});

	it('Get Many outputs 50 records by default', async () => {
		const { outputItems } = await runOperation(resource, 'getMany');
		expect(outputItems).toHaveLength(50);
	});

	it('Get outputs one record', async () => {
		const [first] = await readRecords(`/${path}`);
		const { outputItems } = await runOperation(resource, 'get', {
			[`${resource}Id`]: locateById(first!.id),
		});
		expect(outputItems).toEqual([first]);
	});
});

describe('Update', () => {
	it('an update without chosen fields is rejected before any request', async () => {
		const { error } = await runOperation('attendee', 'update', {
			attendeeId: locateById('att_1'),
			changes: {},
		});
		expect(error?.message).toBe('No fields to update');
		expect(rig.sandbox.requestLog.count('eventData')).toBe(0);
	});

	it('an update of an unknown record fails and writes nothing', async () => {
		const { error } = await runOperation('session', 'update', {
			sessionId: locateById('none'),
			changes: { title: 'x' },
		});
		expect(error?.message).toMatch(/^Event data service: /);
		expect(countRequests('updateSession')).toBe(0);
	});

	it('an update can move a session to another event and clear a text field', async () => {
		const [session] = await readRecords('/sessions');
		const otherEvent = (await readRecords('/events')).find(({ id }) => id !== session!.eventId)!;
		await runOperation('session', 'update', {
			sessionId: locateById(session!.id),
			changes: { eventId: locateById(otherEvent.id), speaker: '' },
		});
		expect(await sendDirect(`/sessions/${session!.id}`)).toEqual({
			...session,
			eventId: otherEvent.id,
			speaker: '',
		});
	});
});

describe('session and registration values', () => {
	it('times without a time zone are read in the time zone of the workflow', async () => {
		const [event] = await readRecords('/events');
		const { outputItems, error } = await runOperation(
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

	it('a start time that is not a date is rejected before any request', async () => {
		const { error } = await runOperation('session', 'create', {
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
	])('the capacity %s is sent as the number %i', async (capacity, expectedNumber) => {
		const [event] = await readRecords('/events');
		const { outputItems, error } = await runOperation('session', 'create', {
			eventId: locateById(event!.id),
			title: 'x',
			startTime: '2026-12-01T09:00:00Z',
			endTime: '2026-12-01T10:00:00Z',
			additionalFields: { capacity },
		});
		expect(error).toBeUndefined();
		expect((await sendDirect(`/sessions/${outputItems[0]!.id}`)).capacity).toBe(expectedNumber);
	});

	it('an update with an empty capacity field leaves the capacity unchanged', async () => {
		const [session] = await readRecords('/sessions');
		const changes = { title: 'Another title', capacity: '' };
		const { outputItems, error } = await runOperation('session', 'update', {
			sessionId: locateById(session!.id),
			changes,
		});
		expect(error).toBeUndefined();
		expect(outputItems[0]).toMatchObject({ title: 'Another title', capacity: session!.capacity });
	});

	it('a capacity that is not a whole number is rejected before any request', async () => {
		const { error } = await runOperation('session', 'update', {
			sessionId: locateById('ses_1'),
			changes: { capacity: '={{ "many" }}' },
		});
		expect(error?.message).toBe('\'Capacity\' must be a whole number, not "many"');
		expect(rig.sandbox.requestLog.count('eventData')).toBe(0);
	});

	it('the error for a rejected registration names the field and the reason', async () => {
		const [attendee] = await readRecords('/attendees');
		const otherEvent = (await readRecords('/events')).find(({ id }) => id !== attendee!.eventId)!;
		const { error } = await runOperation('registration', 'create', {
			eventId: locateById(otherEvent.id),
			attendeeId: locateById(attendee!.id),
		});
		expect(error?.message).toMatch(/The registration cannot be saved; attendeeId: /);
	});
});
