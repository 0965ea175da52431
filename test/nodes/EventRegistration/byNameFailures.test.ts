// Protects the lookup of names in unusual or failing lists: no wrong record is used, and the error says what to do instead.
import type { IDataObject } from 'n8n-workflow';

import { useAcceleratedTime } from '../../support/fakeClock';
import { locateById, locateByName } from '../../support/locators';
import { mapperValue } from './demoIds';
import { useFake } from './fakeService';
import type { Reply } from './fakeService';

useAcceleratedTime();
const fake = useFake();

const makeEvent = (EventId: number, EventName: string, StartDate = '2026-06-01T08:00:00Z') => ({
	EventId,
	EventName,
	StartDate,
});
const makeType = (RegistrationTypeId: number, Name: string) => ({ RegistrationTypeId, Name });

interface Lists {
	events?: IDataObject[] | Reply;
	types?: (eventId: number) => IDataObject[] | Reply;
}

/** Serves these lists page by page, or replies as a test says. Other requests get a record. */
function serve({ events = [], types = () => [] }: Lists): void {
	fake.respondWith(({ url }) => {
		const { pathname, searchParams } = new URL(url, 'http://x');
		const getPage = (records: IDataObject[] | Reply): Reply => {
			if (!Array.isArray(records)) return records;
			const pageSize = Number(searchParams.get('pageSize'));
			const page = Number(searchParams.get('page') ?? 1);
			return { body: records.slice((page - 1) * pageSize, page * pageSize) };
		};
		if (pathname.endsWith('/events')) return getPage(events);
		const [, eventId] = /\/events\/(\d+)\/registrationtypes$/.exec(pathname) ?? [];
		if (eventId !== undefined) return getPage(types(Number(eventId)));
		const [, id] = /\/(\d+)$/.exec(pathname) ?? [];
		return { body: { EventId: Number(id), RegistrationTypeId: Number(id) } };
	});
}

const countRequests = (pathEnd: RegExp) =>
	fake.server.requests.filter(({ url }) => pathEnd.test(new URL(url, 'http://x').pathname)).length;

const getEvent = async (name: unknown, input?: IDataObject[], node?: object) =>
	await fake.operate('event', 'get', { eventId: locateByName(name) }, input, node);
const readErrors = (items: IDataObject[]) => items.map(({ error }) => error);
const typeFromItem = locateByName('={{ $json.type }}');
const CONTINUE = { onError: 'continueRegularOutput' };

describe('several records with the same name', () => {
	it('the error lists the events with dates and IDs, and a name with its date finds one event', async () => {
		serve({
			events: [
				makeEvent(7, 'Summer Fest', '2026-06-01T08:00:00Z'),
				makeEvent(8, 'SUMMER FËST', '2027-06-02T08:00:00Z'),
				makeEvent(9, 'Winter Fest'),
			],
		});
		const { error } = await getEvent('summer fest');
		expect(error).toMatchObject({
			message: '2 events are named "summer fest"',
			description:
				'Choose the event that you want from the list, or write one of these names in full: "Summer Fest (2026-06-01)" with the ID 7, "SUMMER FËST (2027-06-02)" with the ID 8.',
		});
		const { outputItems } = await getEvent('Summer Fest (2027-06-02)');
		expect(outputItems).toMatchObject([{ EventId: 8 }]);
	});

	it('the error lists twenty IDs and the number of the others if the dates are equal', async () => {
		serve({ events: Array.from({ length: 25 }, (_, index) => makeEvent(index + 1, 'Fest')) });
		const { error } = await getEvent('Fest');
		const { message, description } = error as Error & { description: string };
		expect(message).toBe('25 events are named "Fest"');
		expect(description).toMatch(
			/^Switch to By ID and enter the ID of the event that you want: "Fest \(2026-06-01\)" with the ID 1, /,
		);
		expect(description).toMatch(/"Fest \(2026-06-01\)" with the ID 20 and 5 more\.$/);
	});

	it('an event whose name contains a date is found by this name', async () => {
		serve({
			events: [makeEvent(7, 'Fest', '2026-06-01T08:00:00Z'), makeEvent(8, 'Fest (2026-06-01)')],
		});
		expect((await getEvent('Fest (2026-06-01)')).outputItems).toMatchObject([{ EventId: 8 }]);
	});

	it('a type name that several events use resolves to the type of the chosen event', async () => {
		serve({
			types: (eventId) => [makeType(eventId * 10 + 1, 'VIP +1'), makeType(eventId * 10, 'VIP')],
		});
		const { outputItems, error } = await fake.operate(
			'registrationType',
			'get',
			{ eventId: locateById('={{ $json.event }}'), registrationTypeId: typeFromItem },
			[
				{ event: 4, type: 'VIP +1' },
				{ event: 5, type: 'vip +1' },
				{ event: 4, type: 'VIP' },
			],
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ RegistrationTypeId }) => RegistrationTypeId)).toEqual([41, 51, 40]);
		expect([countRequests(/\/registrationtypes$/), countRequests(/\/events$/)]).toEqual([2, 0]);
	});
});

describe('a list of 10,000 events', () => {
	const events = Array.from({ length: 10_000 }, (_, index) =>
		makeEvent(index + 1, `Fest ${index}`),
	);

	it('the list is read to its end, once for all items', async () => {
		serve({ events });
		const input = Array.from({ length: 200 }, (_, index) => ({ name: `fest ${9999 - index}` }));
		const { outputItems, error } = await getEvent('={{ $json.name }}', input);
		expect(error).toBeUndefined();
		const eventIds = outputItems.map(({ EventId }) => EventId);
		expect(eventIds).toEqual(input.map((_, index) => 10_000 - index));
		// Each of the 50 pages of 200, and the end.
		expect(countRequests(/\/events$/)).toBeGreaterThanOrEqual(50);
		expect(countRequests(/\/events$/)).toBeLessThanOrEqual(52);
	});

	it('the error shows part of the list, similar names first', async () => {
		serve({ events: [...events, makeEvent(20_000, 'Harbor Summit')] });
		const { error } = await getEvent('Harbour Summit');
		const { description } = error as Error & { description: string };
		expect(description).toMatch(/^These events exist: Harbor Summit, Fest 0, /);
		expect(description).toContain('Fest 18 and 9,981 more. Use one of');
	});
});

it('names in any script, with signs and digits, are found', async () => {
	const names = [
		'مؤتمر الربيع',
		'כנס האביב',
		'がくじゅつ',
		'कार्यक्रम',
		'2026',
		'A & B + C',
		'100 %',
	];
	serve({ events: names.map((name, index) => makeEvent(index + 1, name)) });
	const input = names.map((name) => ({ name: `\u200f${name.normalize('NFD')}` }));
	const { outputItems, error } = await getEvent('={{ $json.name }}', input);
	expect(error).toBeUndefined();
	expect(outputItems.map(({ EventId }) => EventId)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it('a number from an expression is used as a name, not as an ID', async () => {
	serve({ events: [makeEvent(3, '2026'), makeEvent(2026, 'Other')] });
	expect((await getEvent('={{ 2026 }}')).outputItems).toMatchObject([{ EventId: 3 }]);
});

it('records without a name do not affect the lookup, and are not listed as existing names', async () => {
	serve({ events: [{ EventId: 1 }, { EventId: 2, EventName: ' ' }, makeEvent(3, 'Fest')] });
	expect((await getEvent('fest')).outputItems).toMatchObject([{ EventId: 3 }]);
	serve({ events: [{ EventId: 1 }] });
	expect((await getEvent('fest')).error).toMatchObject({
		message: 'No event is named "fest"',
		description:
			"There are no events yet, or this key can't see them. Create one in the service, or check the key in the credential.",
	});
});

describe('a list that cannot be read', () => {
	it.each<[string, Reply, RegExp]>([
		['status 401', { status: 401, body: { Message: 'No such key.' } }, /./],
		['status 403', { status: 403, body: { Message: 'Not for you.' } }, /Not for you/],
		['status 500', { status: 500, body: { Message: 'Oops.' } }, /Oops/],
		['an HTML page', { html: '<html>' }, /./],
		['an object', { body: { Message: 'hello' } }, /./],
		['a record without an ID', { body: [makeEvent(1, 'Fest'), { EventName: 'Other' }] }, /./],
	])(
		'after a response of %s, the items that need the list fail without further requests',
		async (_, reply, message) => {
			serve({ events: reply });
			const create = {
				eventId: locateByName('={{ $json.event }}'),
				details: mapperValue({ FirstName: 'A', LastName: 'B', Email: 'a@email.example' }),
				options: { tries: 1 },
			};
			const input = [{ event: 'Fest' }, { event: 'Other' }, { event: '' }];
			const { outputItems } = await fake.operate('registration', 'create', create, input, CONTINUE);
			expect(readErrors(outputItems)).toEqual([
				expect.stringMatching(/^Row 1 of 3: Couldn't look up the event "Fest": /),
				expect.stringMatching(/^Row 2 of 3: Couldn't look up the event "Other": /),
				expect.stringMatching(/^Row 3 of 3: 'Event' is missing/),
			]);
			expect(outputItems[0]!.error).toMatch(message);
			expect(outputItems[0]!.error).toMatch(
				/choose the event from the list, or switch to By ID\.$/,
			);
			expect(fake.server.requests).toHaveLength(1);
		},
	);

	it('a request for the list that fails twice is retried', async () => {
		let failuresLeft = 2;
		fake.respondWith(({ url }) => {
			if (!/\/events\?/.test(url)) return { body: { EventId: 1 } };
			return failuresLeft-- > 0 ? { status: 503, body: {} } : { body: [makeEvent(1, 'Fest')] };
		});
		expect((await getEvent('fest')).outputItems).toMatchObject([{ EventId: 1 }]);
		expect(countRequests(/\/events$/)).toBe(3);
	});

	it('a list that may be incomplete is not searched, since the name may occur twice', async () => {
		const page = Array.from({ length: 200 }, (_, index) => makeEvent(index + 1, `Fest ${index}`));
		serve({ events: { body: page } });
		const { error } = await getEvent('Fest 5');
		expect(error!.message).toMatch(
			/^Couldn't look up the event "Fest 5": the event registration service did not return the complete list of events/,
		);
		expect(countRequests(/\/events\/\d+$/)).toBe(0);
	});

	it('the error about the types of a missing event contains the message of the service', async () => {
		serve({ types: () => ({ status: 404, body: { Message: 'There is no event 4.' } }) });
		const locators = { eventId: locateById(4), registrationTypeId: locateByName('VIP') };
		const { error } = await fake.operate('registrationType', 'get', locators);
		expect(error!.message).toMatch(/^Couldn't look up the registration type "VIP": .*no event 4/);
	});
});

it('an invalid event ID fails before any request', async () => {
	serve({});
	const locators = { eventId: locateById('x'), registrationTypeId: locateByName('VIP') };
	const { error } = await fake.operate('registrationType', 'get', locators);
	expect(error!.message).toBe('\'Event\' must be a number, not "x"');
	expect(fake.server.requests).toEqual([]);
});

it('all items of a run use the ID that was found first, and the next run looks it up again', async () => {
	let reads = 0;
	fake.respondWith(({ url }) => {
		if (!/\/events\?/.test(url)) return { body: { EventId: Number(/\d+$/.exec(url)![0]) } };
		reads++;
		return { body: [makeEvent(reads === 1 ? 1 : 2, 'Fest')] };
	});
	const { outputItems } = await getEvent('Fest', [{}, {}, {}]);
	expect(outputItems.map(({ EventId }) => EventId)).toEqual([1, 1, 1]);
	expect((await getEvent('Fest')).outputItems).toMatchObject([{ EventId: 2 }]);
});

it('items with two spellings of one name share a request with Ask Once for Equal Items', async () => {
	serve({ events: [makeEvent(1, 'Fest')] });
	const { outputItems } = await fake.operate(
		'event',
		'get',
		{ eventId: locateByName('={{ $json.name }}'), options: { askOnce: true } },
		[{ name: 'Fest' }, { name: 'FEST' }],
	);
	expect(outputItems).toMatchObject([{ EventId: 1 }, { EventId: 1 }]);
	expect(countRequests(/\/events\/1$/)).toBe(1);
});

it('Retry On Fail keeps the IDs of items that were already sent, even if their type was renamed', async () => {
	let failuresLeft = 1;
	fake.respondWith(({ url, method }) => {
		if (/\/events\?/.test(url)) return { body: [makeEvent(1, 'Fest'), makeEvent(2, 'Other')] };
		if (url.includes('/events/1/registrationtypes')) {
			return { body: [makeType(9, failuresLeft > 0 ? 'VIP' : 'Gone')] };
		}
		if (url.includes('/registrationtypes')) return { body: [makeType(9, 'VIP')] };
		if (method === 'POST' && url.includes('/events/2/') && failuresLeft-- > 0) {
			return { status: 400, body: { Message: 'Not now.' } };
		}
		return { body: { RegistrationId: 5 } };
	});
	const { outputItems, error } = await fake.operate(
		'registration',
		'create',
		{
			eventId: locateByName('={{ $json.event }}'),
			registrationTypeId: locateByName('vip'),
			details: mapperValue({ FirstName: 'A', LastName: 'B', Email: 'a@email.example' }),
			simplify: false,
		},
		[{ event: 'Fest' }, { event: 'Other' }],
		{ retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
	);
	expect(error).toBeUndefined();
	expect(outputItems).toHaveLength(2);
	const posts = fake.server.requests.filter(({ method }) => method === 'POST');
	expect(posts.map(({ url }) => url)).toEqual([
		'/api/v1/events/1/registrations',
		'/api/v1/events/2/registrations',
		'/api/v1/events/2/registrations',
	]);
	const sentTypeIds = posts.map(({ body }) => (JSON.parse(body) as IDataObject).RegistrationTypeId);
	expect(sentTypeIds).toEqual([9, 9, 9]);
	expect(countRequests(/\/events\/1\/registrationtypes$/)).toBe(1);
	expect(countRequests(/\/events\/2\/registrationtypes$/)).toBe(2);
});
