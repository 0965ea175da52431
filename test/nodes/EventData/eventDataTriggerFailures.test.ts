import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import type { FakeResponse } from '../../engine/trigger/support/interceptor';
import { locateById, useListTrigger } from '../../engine/trigger/support/listTrigger';
import { useAcceleratedTime } from '../../support/fakeClock';

useAcceleratedTime();

const EVENT = 'evt_1004';
const MINUTES = 60_000;
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

const add = async (firstName: string) =>
	await performDeskAction('addAttendee', {
		eventId: EVENT,
		firstName,
		lastName: 'Lovelace',
		email: `${firstName.toLowerCase()}@email.example`,
	});
const startedNames = () => startedItems().map(({ firstName }) => firstName);
/** Creates this many old records of a kind. */
const makeRecords = (kind: string, count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		id: `${kind}_${index}`,
		eventId: EVENT,
		createdAt: '2020-01-01T00:00:00Z',
	}));
const isListOf = (plural: string, { url }: { url: string }) => url.startsWith(`/${plural}?`);

describe('an n8n that stops', () => {
	it('the workflow starts once for each change that happened meanwhile', async () => {
		const host = createTriggerHost(['attendeeCreated', 'attendeeCheckedIn']);
		await host.start();
		const { id: attendeeId } = await add('Ada');
		await expectStarts(1);
		await host.stop();
		await add('Grace');
		await performDeskAction('checkIn', { attendeeId });
		await delay(2 * MINUTES);
		await host.start('init');
		await expectStarts(3);
		expect(
			startedItems()
				.map(({ change, firstName }) => `${change} ${firstName}`)
				.sort(),
		).toEqual(['checkedIn Ada', 'created Ada', 'created Grace']);
	});

	it('an n8n that is killed while it starts an execution starts it once', async () => {
		const host = createTriggerHost('attendeeStatusChanged');
		const { id: attendeeId } = await add('Ada');
		await host.start();
		await waitTwoPolls();
		host.crashesBeforeNextStart = true;
		await performDeskAction('changeAttendee', { attendeeId, status: 'confirmed' });
		await waitUntil(() => host.emitCalls === 1);
		await waitTwoPolls();
		expect(startedItems()).toEqual([]);
		await host.restartProcess();
		host.crashesBeforeNextStart = false;
		await host.start('init');
		await expectStarts(1);
		await host.restartProcess();
		await host.start('init');
		await expectStarts(1);
		expect(startedItems()).toMatchObject([{ change: 'statusChanged', status: 'confirmed' }]);
	});
});

describe('a list that is too long to be compared', () => {
	it('fails the activation with advice', async () => {
		const host = createTriggerHost('attendeeCreated', { where: 'allEvents' });
		await interceptRequests((request) =>
			request.url === '/attendees' ? { body: makeRecords('att', 10_001) } : undefined,
		);
		await expect(host.start()).rejects.toMatchObject({
			message: expect.stringMatching(/attendees of all events.*more than 10,000 records/) as string,
			description: expect.stringContaining('Choose one event;') as string,
		});
	});

	it('a list of up to 10,000 records is accepted', async () => {
		const host = createTriggerHost('attendeeCreated', { where: 'allEvents' });
		await interceptRequests((request) =>
			request.url === '/attendees' ? { body: makeRecords('att', 10_000) } : undefined,
		);
		await host.start();
		await waitTwoPolls();
		expect([host.failedExecutions, host.emittedErrors, startedItems()]).toEqual([[], [], []]);
	});

	it.each([
		['whole', undefined],
		// Sixteen pages, and the event's sixteen sessions, fill the room to the last record.
		['in pages', 624],
	])(
		'a list that grows too long later, given %s, is reported once, and other lists are still polled',
		async (_, size) => {
			const host = createTriggerHost(['attendeeCreated', 'sessionCreated']);
			let count = 3;
			await interceptRequests((request): FakeResponse | undefined => {
				if (!isListOf('attendees', request)) return undefined;
				const allRecords = makeRecords('att', count);
				if (size === undefined) return { body: allRecords };
				const page = Number(/page=(\d+)/.exec(request.url)?.[1] ?? 1);
				const data = allRecords.slice((page - 1) * size, page * size);
				return { body: { data, pagination: { page, limit: size, total: count } } };
			});
			await host.start();
			await waitTwoPolls();
			count = 10_001;
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
			await delay(2 * MINUTES);
			expect([host.failedExecutions.length, host.emittedErrors]).toEqual([1, []]);
			if (size !== undefined) return;
			// The start has saved that it was reported, so a restart is no reason to report it again.
			await host.restartProcess();
			await host.start('init');
			await delay(2 * MINUTES);
			expect([host.failedExecutions.length, host.emittedErrors]).toEqual([1, []]);
		},
	);
});

describe('an event', () => {
	it('that does not exist fails the activation', async () => {
		const host = createTriggerHost('attendeeCreated', { eventId: locateById('evt_9') });
		await expect(host.start()).rejects.toThrow(
			/^Event evt_9 doesn't exist, or this key can't see it\. Choose another event\.$/,
		);
	});

	it('that was deleted is reported once, and polled again when it is back', async () => {
		const host = createTriggerHost('attendeeCreated');
		let isGone = false;
		await interceptRequests(({ url }) => {
			if (!isGone) return undefined;
			return url.startsWith('/events/') ? { status: 404, body: { message: 'no' } } : { body: [] };
		});
		await host.start();
		await waitTwoPolls();
		isGone = true;
		await waitUntil(() => host.failedExecutions.length > 0);
		await delay(2 * MINUTES);
		expect(host.failedExecutions.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Event .*\(evt_\d+\) doesn't exist, or this key can't see it$/),
		]);
		isGone = false;
		await add('Ada');
		await expectStarts(1);
		expect([host.failedExecutions.length, host.emittedErrors]).toEqual([1, []]);
	});

	it('the trigger requires an event', async () => {
		const host = createTriggerHost('attendeeCreated', { eventId: locateById('') });
		await expect(host.start()).rejects.toThrow("'Event' is empty");
	});

	it('the trigger rejects an event if it is to start for new events', async () => {
		const host = createTriggerHost('eventCreated');
		await expect(host.start()).rejects.toThrow(
			/^'Event Created' requires All Events\. .*Choose All Events under 'Events'/,
		);
	});
});

describe('a credential', () => {
	it('a rejected credential is reported once; polling resumes when it is valid', async () => {
		const host = createTriggerHost('attendeeCreated');
		await host.start();
		await waitTwoPolls();
		sandbox.demo.eventData.apiKey = 'another-key-0123456789';
		await waitUntil(() => host.emittedErrors.length === 1);
		expect(host.emittedErrors[0]!.message).toContain('The API key is missing or not valid');
		await add('Ada');
		// n8n starts it again by itself.
		await host.stop();
		await host.start('activate');
		await delay(2 * MINUTES);
		expect(host.emittedErrors).toHaveLength(1);
		expect(host.failedExecutions.length).toBeLessThanOrEqual(1);
		host.credentialData.eventDataApi!.apiKey = 'another-key-0123456789';
		await expectStarts(1);
		expect(startedNames()).toEqual(['Ada']);
	});
});

describe('a response that is not a list', () => {
	it.each<[string, unknown]>([
		['an empty object', {}],
		['a message', { message: 'Maintenance' }],
		['a web page', '<html><body>Hello</body></html>'],
		['a list of numbers', [1, 2, 3]],
		['a list with something else in it', [{ id: 'att_1', eventId: EVENT }, 7]],
		['a list of records without IDs', [{ firstName: 'Ada' }]],
	])('a response that is %s makes no record new and loses no change', async (_, body) => {
		const host = createTriggerHost('attendeeCreated');
		let isAvailable = false;
		let polls = 0;
		await interceptRequests((request) => {
			if (!isListOf('attendees', request)) return undefined;
			polls++;
			return isAvailable ? { body: makeUndatedRecords(2) } : { body };
		});
		const recover = async () => {
			isAvailable = true;
			polls = 0;
			await waitUntil(() => polls >= 3);
			expect(startedItems()).toEqual([]);
		};
		await host.start();
		await waitUntil(() => polls > 0);
		await recover();
		isAvailable = false;
		await waitUntil(() => host.failedExecutions.length > 0);
		expect(host.failedExecutions[0]!.message).toMatch(/event data service answered with/);
		await recover();
		expect([host.failedExecutions.length, host.emittedErrors]).toEqual([1, []]);
	});

	const makeUndatedRecords = (count: number) =>
		makeRecords('att', count).map(({ id, eventId }) => ({ id, eventId }));

	it('a list without any dates is accepted: a record that was not in it is new', async () => {
		const host = createTriggerHost('attendeeCreated');
		let count = 3;
		await interceptRequests((request) =>
			isListOf('attendees', request) ? { body: makeUndatedRecords(count) } : undefined,
		);
		await host.start();
		await waitTwoPolls();
		count = 4;
		await expectStarts(1);
		expect(startedItems()).toMatchObject([{ change: 'created', id: 'att_3' }]);
		expect(host.failedExecutions).toEqual([]);
	});
});

it('the trigger reads lists in pages, as long as the service reports a larger total', async () => {
	const host = createTriggerHost('attendeeUpdated');
	let company = 'Old';
	const interceptor = await interceptRequests((request): FakeResponse | undefined => {
		if (!isListOf('attendees', request)) return undefined;
		const page = Number(/page=(\d+)/.exec(request.url)?.[1] ?? 1);
		const allRecords = makeRecords('att', 5).map((record) =>
			record.id === 'att_4' ? { ...record, company } : record,
		);
		const data = allRecords.slice((page - 1) * 2, page * 2);
		return { body: { data, pagination: { page, limit: 2, total: 5 } } };
	});
	await host.start();
	await waitTwoPolls();
	company = 'New';
	await expectStarts(1);
	expect(startedItems()).toMatchObject([{ change: 'updated', id: 'att_4', company: 'New' }]);
	expect(interceptor.requests.some(({ url }) => url.includes('page=3'))).toBe(true);
	expect(host.failedExecutions).toEqual([]);
});
