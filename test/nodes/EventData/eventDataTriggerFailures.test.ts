// Protects the Event Data trigger in failures: it reports each once, loses no change, and takes no old record for a new one.
import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import type { FakeResponse } from '../../engine/trigger/support/interceptor';
import { useListTrigger } from '../../engine/trigger/support/listTrigger';
import { useAcceleratedTime } from '../../support/fakeClock';
import { locateById } from '../../support/locators';

useAcceleratedTime();

const EVENT = 'evt_1004';
const MINUTE_MS = 60_000;
/** Most records that the trigger compares. */
const RECORD_LIMIT = 10_000;
const NEW_API_KEY = 'another-key-0123456789';
const {
	sandbox,
	createTriggerHost,
	performDeskAction,
	startedItems,
	expectStarts,
	waitTwoPolls,
	interceptRequests,
	waitUntil,
} = useListTrigger('eventData', {
	eventId: locateById(EVENT),
});

const addAttendee = async (firstName: string) =>
	await performDeskAction('addAttendee', {
		eventId: EVENT,
		firstName,
		lastName: 'Lovelace',
		email: `${firstName.toLowerCase()}@email.example`,
	});
const readStartedNames = () => startedItems().map(({ firstName }) => firstName);
/** More attendees than the limit, with an old date: they are therefore not new to the trigger. */
const oldAttendees: IDataObject[] = Array.from({ length: RECORD_LIMIT + 1 }, (_, index) => ({
	id: `att_${index}`,
	eventId: EVENT,
	createdAt: '2020-01-01T00:00:00Z',
}));
const isAttendeeListRequest = ({ url }: { url: string }) => url.startsWith('/attendees?');
/** Responds with the page that the request asks for, and the total. */
function respondWithPage(
	{ url }: { url: string },
	records: IDataObject[],
	pageSize: number,
): FakeResponse {
	const page = Number(/page=(\d+)/.exec(url)?.[1] ?? 1);
	const data = records.slice((page - 1) * pageSize, page * pageSize);
	return { body: { data, pagination: { page, limit: pageSize, total: records.length } } };
}

describe('after a restart of n8n', () => {
	it('the workflow starts once for each change that was made while n8n was stopped', async () => {
		const host = createTriggerHost(['attendeeCreated', 'attendeeCheckedIn']);
		await host.start();
		const { id: attendeeId } = await addAttendee('Ada');
		await expectStarts(1);
		await host.stop();
		await addAttendee('Grace');
		await performDeskAction('checkIn', { attendeeId });
		await delay(2 * MINUTE_MS);
		await host.start('init');
		await expectStarts(3);
		expect(
			startedItems()
				.map(({ change, firstName }) => `${change} ${firstName}`)
				.sort(),
		).toEqual(['checkedIn Ada', 'created Ada', 'created Grace']);
	});
});

describe('the limit of 10,000 compared records', () => {
	it('the activation fails with advice if a list has more records', async () => {
		const host = createTriggerHost('attendeeCreated', { where: 'allEvents' });
		await interceptRequests((request) =>
			request.url === '/attendees' ? { body: oldAttendees } : undefined,
		);
		await expect(host.start()).rejects.toMatchObject({
			message: expect.stringMatching(/attendees of all events.*more than 10,000 records/) as string,
			description: expect.stringContaining('Choose one event;') as string,
		});
	});

	it('a list of 10,000 records is accepted', async () => {
		const host = createTriggerHost('attendeeCreated', { where: 'allEvents' });
		await interceptRequests((request) =>
			request.url === '/attendees' ? { body: oldAttendees.slice(0, RECORD_LIMIT) } : undefined,
		);
		await host.start();
		await waitTwoPolls();
		expect([host.failedExecutions, host.emittedErrors, startedItems()]).toEqual([[], [], []]);
	});

	it.each([
		['as a whole', undefined],
		// 16 pages of 624 records and the 16 sessions of the event are exactly 10,000 records.
		['in pages', 624],
	])(
		'a list that is returned %s and later exceeds the limit is reported once, and other lists are still polled',
		async (_, pageSize) => {
			const host = createTriggerHost(['attendeeCreated', 'sessionCreated']);
			let attendeeCount = 3;
			await interceptRequests((request) => {
				if (!isAttendeeListRequest(request)) return undefined;
				const attendees = oldAttendees.slice(0, attendeeCount);
				if (pageSize === undefined) return { body: attendees };
				return respondWithPage(request, attendees, pageSize);
			});
			await host.start();
			await waitTwoPolls();
			attendeeCount = RECORD_LIMIT + 1;
			await waitUntil(() => host.failedExecutions.length === 1);
			expect(host.failedExecutions[0]!.message).toMatch(/more than 10,000/);
			const session = {
				eventId: EVENT,
				title: 'Engines',
				startTime: '2027-03-01T09:00:00Z',
				endTime: '2027-03-01T10:00:00Z',
			};
			await performDeskAction('addSession', session);
			await expectStarts(1);
			await delay(2 * MINUTE_MS);
			expect([host.failedExecutions.length, host.emittedErrors]).toEqual([1, []]);
			if (pageSize !== undefined) return;
			// The start for the new session also saved that the list was reported. The restarted trigger knows it.
			await host.restartProcess();
			await host.start('init');
			await delay(2 * MINUTE_MS);
			expect([host.failedExecutions.length, host.emittedErrors]).toEqual([1, []]);
		},
	);
});

describe('the chosen event', () => {
	it('the activation fails if the event does not exist', async () => {
		const host = createTriggerHost('attendeeCreated', { eventId: locateById('evt_9') });
		await expect(host.start()).rejects.toThrow(
			/^Event evt_9 doesn't exist, or this key can't see it\. Choose another event\.$/,
		);
	});

	it('a deleted event is reported once, and the trigger works again once the event is back', async () => {
		const host = createTriggerHost('attendeeCreated');
		let isDeleted = false;
		await interceptRequests(({ url }) => {
			if (!isDeleted) return undefined;
			return url.startsWith('/events/') ? { status: 404, body: { message: 'no' } } : { body: [] };
		});
		await host.start();
		await waitTwoPolls();
		isDeleted = true;
		await waitUntil(() => host.failedExecutions.length > 0);
		await delay(2 * MINUTE_MS);
		expect(host.failedExecutions.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Event .*\(evt_\d+\) doesn't exist, or this key can't see it$/),
		]);
		isDeleted = false;
		await addAttendee('Ada');
		await expectStarts(1);
		expect([host.failedExecutions.length, host.emittedErrors]).toEqual([1, []]);
	});

	it('the activation fails if no event is chosen', async () => {
		const host = createTriggerHost('attendeeCreated', { eventId: locateById('') });
		await expect(host.start()).rejects.toThrow("'Event' is empty");
	});

	it('the activation fails if the trigger follows one event and should start for new events', async () => {
		const host = createTriggerHost('eventCreated');
		await expect(host.start()).rejects.toThrow(
			/^'Event Created' requires All Events\. .*Choose All Events under 'Events'/,
		);
	});
});

describe('a rejected credential', () => {
	it('the trigger reports the rejection once, and polls again when the key is valid', async () => {
		const host = createTriggerHost('attendeeCreated');
		await host.start();
		await waitTwoPolls();
		sandbox.demo.eventData.apiKey = NEW_API_KEY;
		await waitUntil(() => host.emittedErrors.length === 1);
		expect(host.emittedErrors[0]!.message).toContain('The API key is missing or not valid');
		await addAttendee('Ada');
		// n8n restarts a trigger that has emitted an error.
		await host.stop();
		await host.start('activate');
		await delay(2 * MINUTE_MS);
		expect(host.emittedErrors).toHaveLength(1);
		expect(host.failedExecutions.length).toBeLessThanOrEqual(1);
		host.credentialData.eventDataApi!.apiKey = NEW_API_KEY;
		await expectStarts(1);
		expect(readStartedNames()).toEqual(['Ada']);
	});
});

describe('unusual responses to the request of a list', () => {
	const makeUndatedAttendees = (count: number) =>
		oldAttendees.slice(0, count).map(({ id, eventId }) => ({ id, eventId }));

	it.each<[string, unknown]>([
		['an empty object', {}],
		['a message', { message: 'Maintenance' }],
		['a web page', '<html><body>Hello</body></html>'],
		['a list of numbers', [1, 2, 3]],
		['a list of a record and a number', [{ id: 'att_1', eventId: EVENT }, 7]],
		['a list of records without IDs', [{ firstName: 'Ada' }]],
	])(
		'a response that is %s fails one execution, and no record counts as new after the service recovers',
		async (_, body) => {
			const host = createTriggerHost('attendeeCreated');
			let isServiceHealthy = false;
			let pollCount = 0;
			await interceptRequests((request) => {
				if (!isAttendeeListRequest(request)) return undefined;
				pollCount++;
				return isServiceHealthy ? { body: makeUndatedAttendees(2) } : { body };
			});
			const recoverAndExpectNoStart = async () => {
				isServiceHealthy = true;
				pollCount = 0;
				await waitUntil(() => pollCount >= 3);
				expect(startedItems()).toEqual([]);
			};
			await host.start();
			await waitUntil(() => pollCount > 0);
			await recoverAndExpectNoStart();
			isServiceHealthy = false;
			await waitUntil(() => host.failedExecutions.length > 0);
			expect(host.failedExecutions[0]!.message).toMatch(/event data service answered with/);
			await recoverAndExpectNoStart();
			expect([host.failedExecutions.length, host.emittedErrors]).toEqual([1, []]);
		},
	);

	it('a list of records without dates is accepted, and a record that is added to the list is new', async () => {
		const host = createTriggerHost('attendeeCreated');
		let attendeeCount = 3;
		await interceptRequests((request) =>
			isAttendeeListRequest(request) ? { body: makeUndatedAttendees(attendeeCount) } : undefined,
		);
		await host.start();
		await waitTwoPolls();
		attendeeCount = 4;
		await expectStarts(1);
		expect(startedItems()).toMatchObject([{ change: 'created', id: 'att_3' }]);
		expect(host.failedExecutions).toEqual([]);
	});
});

it('the trigger reads further pages of a list until it has the total that the service reports', async () => {
	const host = createTriggerHost('attendeeUpdated');
	let company = 'Old';
	const interceptor = await interceptRequests((request) => {
		if (!isAttendeeListRequest(request)) return undefined;
		const attendees = oldAttendees
			.slice(0, 5)
			.map((attendee) => (attendee.id === 'att_4' ? { ...attendee, company } : attendee));
		return respondWithPage(request, attendees, 2);
	});
	await host.start();
	await waitTwoPolls();
	company = 'New';
	await expectStarts(1);
	expect(startedItems()).toMatchObject([{ change: 'updated', id: 'att_4', company: 'New' }]);
	expect(interceptor.requests.some(({ url }) => url.includes('page=3'))).toBe(true);
	expect(host.failedExecutions).toEqual([]);
});
