// Protects the Event Data trigger: each change of the chosen kinds starts the workflow with the current data, no other does.
import type { GenericValue, IDataObject } from 'n8n-workflow';

import { useListTrigger } from '../../engine/trigger/support/listTrigger';
import { useAcceleratedTime } from '../../support/fakeClock';
import { locateById } from '../../support/locators';

useAcceleratedTime();

const EVENT = 'evt_1004';
const { sandbox, createTriggerHost, performDeskAction, startedItems, expectStarts, waitTwoPolls } =
	useListTrigger('eventData', {
		eventId: locateById(EVENT),
	});

const addAttendee = async (firstName: string, overrides: IDataObject = {}) =>
	await performDeskAction('addAttendee', {
		eventId: EVENT,
		firstName,
		lastName: 'Lovelace',
		email: `${firstName.toLowerCase()}@email.example`,
		...overrides,
	});
const changeAttendee = async (attendeeId: GenericValue, changes: IDataObject) =>
	await performDeskAction('changeAttendee', { attendeeId, ...changes });
const SESSION = {
	eventId: EVENT,
	title: 'Engines',
	startTime: '2027-03-01T09:00:00Z',
	endTime: '2027-03-01T10:00:00Z',
};
const NEW_EVENT = { startDate: '2027-05-01T09:00:00Z', endDate: '2027-05-02T17:00:00Z' };

describe('attendees', () => {
	it('the workflow starts once for a new attendee, and not for existing ones', async () => {
		const host = createTriggerHost('attendeeCreated');
		await host.start();
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		const { id } = await addAttendee('Ada');
		await expectStarts(1);
		expect(startedItems()).toEqual([
			{
				change: 'created',
				record: 'attendee',
				eventName: expect.any(String) as string,
				id,
				eventId: EVENT,
				firstName: 'Ada',
				lastName: 'Lovelace',
				email: 'ada@email.example',
				company: '',
				status: 'registered',
				checkInTime: null,
				createdAt: expect.any(String) as string,
			},
		]);
		await addAttendee('Grace');
		await addAttendee('Edith');
		await addAttendee('Elsewhere', { eventId: 'evt_1005' });
		await expectStarts(3);
		expect(host.failedExecutions).toEqual([]);
	});

	it('the workflow starts for a check-in, and again for a second one after the first was undone', async () => {
		await createTriggerHost('attendeeCheckedIn').start();
		const { id: attendeeId } = await addAttendee('Ada');
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		await performDeskAction('checkIn', { attendeeId });
		await expectStarts(1);
		await performDeskAction('undoCheckIn', { attendeeId });
		await expectStarts(1);
		await performDeskAction('checkIn', { attendeeId });
		await expectStarts(2);
		expect(startedItems()).toMatchObject([
			{ change: 'checkedIn', id: attendeeId },
			{ change: 'checkedIn', id: attendeeId },
		]);
		const [firstCheckIn, secondCheckIn] = startedItems().map(({ checkInTime }) => checkInTime);
		expect(firstCheckIn).not.toBe(secondCheckIn);
	});

	it('the workflow starts for each change of the status, even to one that the attendee had before', async () => {
		const { id } = await addAttendee('Ada');
		await createTriggerHost('attendeeStatusChanged').start();
		await waitTwoPolls();
		const statuses = ['confirmed', 'registered', 'confirmed'];
		for (const [index, status] of statuses.entries()) {
			await changeAttendee(id, { status });
			await expectStarts(index + 1);
		}
		expect(startedItems()).toMatchObject(
			statuses.map((status) => ({ change: 'statusChanged', id, status })),
		);
		await changeAttendee(id, { firstName: 'Augusta' });
		await expectStarts(3);
	});

	it('the workflow starts once for two changes between two polls, with the current data', async () => {
		const { id } = await addAttendee('Ada');
		await createTriggerHost('attendeeUpdated').start();
		await waitTwoPolls();
		await changeAttendee(id, { firstName: 'Augusta' });
		await changeAttendee(id, { company: 'Analytical Engines' });
		await expectStarts(1);
		expect(startedItems()).toMatchObject([
			{ change: 'updated', firstName: 'Augusta', company: 'Analytical Engines' },
		]);
	});

	it('the workflow starts once per change, and outputs the most specific of the chosen kinds', async () => {
		await createTriggerHost([
			'attendeeCreated',
			'attendeeUpdated',
			'attendeeCheckedIn',
			'attendeeStatusChanged',
		]).start();
		const { id: attendeeId } = await addAttendee('Ada');
		await expectStarts(1);
		await changeAttendee(attendeeId, { status: 'confirmed', company: 'Analytical Engines' });
		await expectStarts(2);
		await performDeskAction('checkIn', { attendeeId });
		await expectStarts(3);
		await performDeskAction('undoCheckIn', { attendeeId });
		await expectStarts(4);
		expect(startedItems().map((item) => item.change)).toEqual([
			'created',
			'statusChanged',
			'checkedIn',
			'updated',
		]);
	});
});

describe('registrations', () => {
	it('the workflow starts for a new registration and for a change of its status', async () => {
		await createTriggerHost(['registrationCreated', 'registrationStatusChanged']).start();
		const { id: attendeeId } = await addAttendee('Ada');
		const { id } = await performDeskAction('addRegistration', { eventId: EVENT, attendeeId });
		await expectStarts(1);
		await performDeskAction('setRegistrationStatus', { registrationId: id, status: 'confirmed' });
		await expectStarts(2);
		expect(startedItems()).toMatchObject([
			{ change: 'created', record: 'registration', id, attendeeId, status: 'pending' },
			{ change: 'statusChanged', record: 'registration', id, status: 'confirmed' },
		]);
	});
});

describe('sessions', () => {
	it('the workflow starts for a new session and for a change of any field', async () => {
		await createTriggerHost(['sessionCreated', 'sessionUpdated']).start();
		const { id } = await performDeskAction('addSession', SESSION);
		await expectStarts(1);
		await performDeskAction('changeSession', { sessionId: id, location: 'Room 7' });
		await expectStarts(2);
		expect(startedItems()).toMatchObject([
			{ change: 'created', record: 'session', id, title: 'Engines' },
			{ change: 'updated', record: 'session', id, location: 'Room 7' },
		]);
	});
});

describe('events', () => {
	it('the workflow starts for a change of the chosen event, but not for its attendees or other events', async () => {
		await createTriggerHost('eventUpdated').start();
		await addAttendee('Ada');
		await performDeskAction('changeEvent', { eventId: 'evt_1005', name: 'Another one' });
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		await performDeskAction('changeEvent', { eventId: EVENT, name: 'Summit' });
		await expectStarts(1);
		expect(startedItems()).toMatchObject([
			{ change: 'updated', record: 'event', id: EVENT, name: 'Summit' },
		]);
	});

	it.each(['documented', 'wrapped', 'bare'])(
		'the workflow starts for a new and a changed event in lists of the format %s',
		async (listFormat) => {
			sandbox.settings.eventData.lists = listFormat;
			sandbox.settings.eventData.pageLimit = listFormat === 'bare' ? 1000 : 3;
			await createTriggerHost(['eventCreated', 'eventUpdated'], { where: 'allEvents' }).start();
			const { id } = await performDeskAction('addEvent', { name: 'New', ...NEW_EVENT });
			await expectStarts(1);
			await performDeskAction('changeEvent', { eventId: 'evt_1005', capacity: 7 });
			await expectStarts(2);
			expect(startedItems()).toMatchObject([
				{ change: 'created', record: 'event', id, name: 'New' },
				{ change: 'updated', record: 'event', id: 'evt_1005', capacity: 7 },
			]);
		},
	);
});

describe('all events', () => {
	it('the workflow starts for records of every event, including a new one, with the name of the event', async () => {
		const host = createTriggerHost(['attendeeCreated', 'sessionCreated'], { where: 'allEvents' });
		await host.start();
		await addAttendee('Ada');
		await expectStarts(1);
		const countEventListRequests = () => sandbox.requestLog.count('eventData', 'getManyEvents');
		const countBefore = countEventListRequests();
		await addAttendee('Grace', { eventId: 'evt_1005' });
		await expectStarts(2);
		expect(countEventListRequests()).toBe(countBefore);
		const { id } = await performDeskAction('addEvent', { name: 'New', ...NEW_EVENT });
		await addAttendee('Edith', { eventId: id });
		await performDeskAction('addSession', { ...SESSION, eventId: id });
		await expectStarts(4);
		const eventNames = new Map(
			startedItems().map(({ eventId, eventName }) => [eventId, eventName]),
		);
		expect(eventNames.get(id)).toBe('New');
		expect(new Set(eventNames.values()).size).toBe(3);
		// The trigger reads the list of events again only for a record whose event is unknown. Here one event was.
		expect(countEventListRequests() - countBefore).toBeLessThanOrEqual(2);
		expect(host.failedExecutions).toEqual([]);
	});
});
