// Protects choosing an event or a registration type by name: operations, panel and agents use the same record as by ID.
import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { locateById, locateByName } from '../../support/locators';
import { openPanel } from '../../support/panel';
import { runNode } from '../../support/workflow';
import { demoIds, mapperValue } from './demoIds';
import { useResource } from './resourceRig';

// Event and Registration Type by name. The sandbox has sixteen events; 1001 is the Open Data Forum, 1002 the Accessible Web Day.
// Each has the types Attendee, Speaker, Student, Sponsor and Press, with IDs of its own: 2001 and up, 2011 and up.

const { rig, countRequests, run } = useResource('registration', { registrations: 300 });
const READ_EVENTS = 'getManyEvents';
/** One page, page 1 to learn how the pages are counted, and the page after it, which is empty. */
const EVENT_LIST_REQUESTS = 3;
const READ_TYPES = 'getManyRegistrationTypes';
const forum = { eventId: locateByName('Open Data Forum') };
const zoe = { FirstName: 'Zoë', LastName: 'Lindqvist', Email: 'zoe@tarnvale.example' };
const getTypeId = async (eventId: number, registrationId: unknown) =>
	(await run('get', { eventId: locateById(eventId), registrationId: locateById(registrationId) }))
		.outputItems[0]!.RegistrationTypeId;

describe('an event by name', () => {
	it.each([
		'Open Data Forum',
		' open  DATA\u00a0forum ',
		'Öpen Dätâ Forum',
		'\u200eOpen Data Forum\u200f',
	])('the event is found by the spelling %j', async (name) => {
		const { outputItems, error } = await rig.run('eventRegistration', {
			resource: 'event',
			operation: 'get',
			eventId: locateByName(name),
		});
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ EventId: 1001 }]);
	});

	it('the event is found by its name with the date, as the list of the panel shows it', async () => {
		const { results } = await openPanel(rig.kit, 'eventRegistration', {}).list('searchEvents');
		const listedName = results.find(({ value }) => value === '1001')!.name;
		expect(listedName).toMatch(/^Open Data Forum \(\d{4}-\d\d-\d\d\)$/);
		const { outputItems } = await run('get', {
			eventId: locateByName(listedName),
			registrationId: locateById(demoIds.registrationId),
		});
		expect(outputItems).toMatchObject([{ RegistrationId: demoIds.registrationId }]);
	});

	it.each([
		['as the body', 'order', 'getManyForEvent', {}],
		['in the query', 'order', 'get', { orderId: locateById(demoIds.orderId) }],
		['in the path', 'session', 'search', { criteria: { title: 'e' } }],
		['in the requests for every list of Get Missing', 'attendance', 'getMissing', {}],
		['in the requests for every list of Get Summary', 'event', 'getSummary', {}],
	])('the ID of the event is sent %s', async (_, resource, operation, parameters) => {
		const sharedParameters = { resource, operation, ...parameters };
		const resultByName = await rig.run('eventRegistration', { ...sharedParameters, ...forum });
		const parametersById = { ...sharedParameters, eventId: locateById(demoIds.eventId) };
		expect(resultByName.error).toBeUndefined();
		expect(resultByName.outputItems.length).toBeGreaterThan(0);
		expect(resultByName.outputItems).toEqual(
			(await rig.run('eventRegistration', parametersById as never)).outputItems,
		);
	});

	it('the events are read once for all items, and the types once per event', async () => {
		const names = ['Open Data Forum', 'Accessible Web Day', 'open data forum'];
		const input = Array.from({ length: 60 }, (_, index) => ({ event: names[index % 3]! }));
		const { outputItems, error } = await rig.run(
			'eventRegistration',
			{
				resource: 'registrationType',
				operation: 'get',
				eventId: locateByName('={{ $json.event }}'),
				registrationTypeId: locateByName('={{ "Speaker" }}'),
			},
			input,
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ RegistrationTypeId }) => RegistrationTypeId)).toEqual(
			input.map((_, index) => (index % 3 === 1 ? 2012 : 2002)),
		);
		expect([countRequests(READ_EVENTS), countRequests(READ_TYPES)]).toEqual([
			EVENT_LIST_REQUESTS,
			2,
		]);
	});
});

describe('a registration type by name', () => {
	it('the type is looked up among the types of the event of each item', async () => {
		const { outputItems, error } = await run(
			'create',
			{
				eventId: locateByName('={{ $json.event }}'),
				registrationTypeId: locateByName('={{ $json.type }}'),
				details: mapperValue({ ...zoe, Email: '={{ $json.email }}' }),
			},
			[
				{ event: 'Open Data Forum', type: 'press', email: 'a@tarnvale.example' },
				{ event: 'Accessible Web Day', type: 'PRESS', email: 'b@tarnvale.example' },
				{ event: 'Open Data Forum', type: 'Sponsor', email: 'c@tarnvale.example' },
			],
		);
		expect(error).toBeUndefined();
		const [first, second, third] = outputItems.map(({ RegistrationId }) => RegistrationId);
		expect(await getTypeId(1001, first)).toBe(2005);
		expect(await getTypeId(1002, second)).toBe(2015);
		expect(await getTypeId(1001, third)).toBe(2004);
	});

	it('the type filters Get Missing', async () => {
		const getMissing = async (registrationTypeId: object) =>
			await rig.run('eventRegistration', {
				...{ resource: 'attendance', operation: 'getMissing', returnAll: true },
				...{ ...forum, filters: { registrationTypeId } },
			} as never);
		const { outputItems, error } = await getMissing(locateByName('student'));
		expect(error).toBeUndefined();
		expect(outputItems.length).toBeGreaterThan(0);
		expect(outputItems).toEqual((await getMissing(locateById(2003))).outputItems);
	});

	it('Update sets the type, and does not change it if the name is blank', async () => {
		const changeType = async (type: string, phone: string) =>
			await run('update', {
				eventId: locateById(demoIds.eventId),
				registrationId: locateById(demoIds.registrationId),
				registrationTypeId: locateByName(type),
				details: mapperValue({ MobilePhone: phone }),
			});
		expect((await changeType('Student', '1')).error).toBeUndefined();
		expect(await getTypeId(demoIds.eventId, demoIds.registrationId)).toBe(2003);
		expect((await changeType(' \u200b', '2')).error).toBeUndefined();
		expect(await getTypeId(demoIds.eventId, demoIds.registrationId)).toBe(2003);
	});

	it('Create or Update sets the type, and three spellings of the event create one registration', async () => {
		const input = ['Open Data Forum', 'open data forum', 'OPEN DATA FORUM'];
		const { outputItems, error } = await run(
			'createOrUpdate',
			{
				eventId: locateByName('={{ $json.event }}'),
				email: zoe.Email,
				registrationTypeId: locateByName('Speaker'),
				details: mapperValue({ FirstName: zoe.FirstName, LastName: zoe.LastName }),
			},
			input.map((event) => ({ event })),
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ created }) => created)).toEqual([true, false, false]);
		expect(outputItems[0]).toMatchObject({ RegistrationTypeId: 2002 });
	});

	it('the type filters Search', async () => {
		const searchByType = async (registrationTypeId: object) =>
			(await run('search', { ...forum, criteria: { registrationTypeId }, returnAll: true }))
				.outputItems;
		const speakers = await searchByType(locateByName('speaker'));
		expect(speakers.length).toBeGreaterThan(0);
		expect(speakers).toEqual(await searchByType(locateById(2002)));
		expect(new Set(speakers.map(({ RegistrationType }) => RegistrationType))).toEqual(
			new Set(['Speaker']),
		);
	});
});

describe('a name that does not match', () => {
	const getError = async (parameters: object, operation = 'getMany') =>
		(await run(operation, parameters)).error as Error & { description?: string };

	it('the error lists the existing names', async () => {
		const error = await getError({ eventId: locateByName('Open Date Forum') });
		expect(error.message).toBe('No event is named "Open Date Forum"');
		expect(error.description).toMatch(
			/^These events exist: (Open Data Forum|Festival of Open Maps), .*Lagos Cloud Conference.*\. Use one of these names, or choose the event from the list\.$/,
		);
		const searchParameters = { ...forum, criteria: { registrationTypeId: locateByName('VIP') } };
		const { message, description } = await getError(searchParameters, 'search');
		expect(message).toBe('No registration type is named "VIP"');
		expect(description).toContain('exist: Attendee, Speaker, Student, Sponsor, Press. Use');
		expect(countRequests('searchRegistrations')).toBe(0);
	});

	it.each(['2026', 1001])(
		'the error for the number %j advises to switch to By ID',
		async (value) => {
			const { message, description } = await getError({ eventId: locateByName(value) });
			expect(message).toBe(`No event is named "${value}"`);
			expect(description).toMatch(/ To use the ID of the event, switch to By ID\.$/);
		},
	);

	it('a blank name is reported as missing', async () => {
		expect((await getError({ eventId: locateByName(' \u200f') })).message).toBe(
			"'Event' is missing",
		);
		const searchParameters = { ...forum, criteria: { registrationTypeId: locateByName('') } };
		expect((await getError(searchParameters, 'search')).message).toBe(
			"'Registration Type' is missing",
		);
		expect(countRequests(READ_EVENTS)).toBe(EVENT_LIST_REQUESTS);
	});

	it('the error for a name in ID mode advises to switch to By Name', async () => {
		const eventError = await getError({ eventId: locateById('Open Data Forum') });
		expect(eventError.message).toBe('\'Event\' must be a number, not "Open Data Forum"');
		expect(eventError.description).toMatch(/^To use the name, switch to By Name\. /);
		const searchParameters = { ...forum, criteria: { registrationTypeId: locateById('Speaker') } };
		const { description } = await getError(searchParameters, 'search');
		expect(description).toMatch(/^To use the name, switch to By Name\. /);
	});

	it('only the items whose name does not match fail', async () => {
		const { outputItems } = await run(
			'getMany',
			{ eventId: locateByName('={{ $json.event }}'), limit: 1 },
			[{ event: 'Open Data Forum' }, { event: 'Nowhere' }, { event: ['a'] }, { event: 'Nowhere' }],
			{ onError: 'continueRegularOutput' },
		);
		expect(outputItems).toMatchObject([
			{ RegistrationId: expect.any(Number) as number },
			{ error: expect.stringContaining('No event is named "Nowhere"') as string },
			{ error: expect.stringContaining("'Event' must be text, not a list") as string },
			{ error: expect.stringContaining('No event is named "Nowhere"') as string },
		]);
		expect(countRequests(READ_EVENTS)).toBe(EVENT_LIST_REQUESTS);
	});
});

it('an agent can choose the event and the type by name', async () => {
	/** The node as n8n offers it to agents. */
	class EventRegistrationTool extends EventRegistration {
		constructor() {
			super();
			this.description = { ...this.description, name: 'eventRegistrationTool' };
		}
	}
	const kit = {
		...rig.kit,
		nodes: { ...rig.kit.nodes, eventRegistrationTool: EventRegistrationTool },
	};
	const parameters = {
		resource: 'registrationType',
		operation: 'get',
		eventId: locateByName("={{ $fromAI('Event', ``, 'string') }}"),
		registrationTypeId: locateByName("={{ $fromAI('Registration_Type', ``, 'string') }}"),
	};
	const runTool = async (query: object) =>
		await runNode(kit, 'eventRegistrationTool', parameters, [query as never]);
	const resultByName = await runTool({ Event: 'open data forum', Registration_Type: 'speaker' });
	expect(resultByName.error).toBeUndefined();
	expect(resultByName.outputItems).toMatchObject([{ RegistrationTypeId: 2002 }]);
	const resultByNumber = await runTool({ Event: '1001', Registration_Type: 'speaker' });
	expect(resultByNumber.error!.message).toMatch(
		/^No event is named "1001"\. These events exist: .* Tell the person who runs this workflow: To use the ID/,
	);
});

describe('the lists of the panel', () => {
	const openEventPanel = (eventId: object) =>
		openPanel(rig.kit, 'eventRegistration', { eventId, operation: 'create' } as never);

	it.each(['searchSessions', 'searchRegistrationTypes', 'searchRegistrations', 'searchOrders'])(
		'%s shows the records of an event that is chosen by name',
		async (method) => {
			const recordsByName = (await openEventPanel(locateByName('accessible web day')).list(method))
				.results;
			expect(recordsByName.length).toBeGreaterThan(0);
			expect(countRequests(READ_EVENTS)).toBe(EVENT_LIST_REQUESTS);
			expect(recordsByName).toEqual((await openEventPanel(locateById(1002)).list(method)).results);
		},
	);

	it('the form and the options of an event are the same by name and by ID', async () => {
		const [panelByName, panelById] = [
			openEventPanel(locateByName('accessible web day')),
			openEventPanel(locateById(1002)),
		];
		expect(await panelByName.inputs('getRegistrationForm')).toEqual(
			await panelById.inputs('getRegistrationForm'),
		);
		const options = await panelByName.choices('getOptions');
		expect(options.length).toBeGreaterThan(0);
		expect(options).toEqual(await panelById.choices('getOptions'));
	});

	it('a name that does not match is reported, and a blank name asks to choose the event', async () => {
		await expect(openEventPanel(locateByName('Nowhere')).list('searchSessions')).rejects.toThrow(
			'No event is named "Nowhere"',
		);
		await expect(openEventPanel(locateByName('')).list('searchSessions')).rejects.toThrow(
			'Choose the Event first',
		);
	});
});
