import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { openPanel } from '../../support/panel';
import { runNode } from '../../support/workflow';
import { useResource } from './registrationFixture';
import { byId, byName, known, mapped } from './samples';

// Event and Registration Type by name. The sandbox has sixteen events; 1001 is the Open Data Forum, 1002 the Accessible Web Day.
// Each has the types Attendee, Speaker, Student, Sponsor and Press, with IDs of its own: 2001 and up, 2011 and up.

const { rig, count, run } = useResource('registration', { registrations: 300 });
const EVENTS = 'getManyEvents';
const TYPES = 'getManyRegistrationTypes';
const forum = { eventId: byName('Open Data Forum') };
const zoe = { FirstName: 'Zoë', LastName: 'Lindqvist', Email: 'zoe@tarnvale.example' };
const typeOf = async (eventId: number, id: unknown) =>
	(await run('get', { eventId: byId(eventId), registrationId: byId(id) })).outputItems[0]!
		.RegistrationTypeId;

describe('an event', () => {
	it.each([
		'Open Data Forum',
		' open  DATA\u00a0forum ',
		'Öpen Dätâ Forum',
		'\u200eOpen Data Forum\u200f',
	])('is found as %j', async (name) => {
		const { outputItems, error } = await rig.run('eventRegistration', {
			resource: 'event',
			operation: 'get',
			eventId: byName(name),
		});
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ EventId: 1001 }]);
	});

	it('is found by its name with the date, as the list shows it', async () => {
		const { results } = await openPanel(rig.kit, 'eventRegistration', {}).list('searchEvents');
		const shown = results.find(({ value }) => value === '1001')!.name;
		expect(shown).toMatch(/^Open Data Forum \(\d{4}-\d\d-\d\d\)$/);
		const { outputItems } = await run('get', {
			eventId: byName(shown),
			registrationId: byId(known.registrationId),
		});
		expect(outputItems).toMatchObject([{ RegistrationId: known.registrationId }]);
	});

	it.each([
		['as the body', 'order', 'getManyForEvent', {}],
		['in the query', 'order', 'get', { orderId: byId(known.orderId) }],
		['in the path', 'session', 'search', { criteria: { title: 'e' } }],
		['to every list of Get Missing', 'attendance', 'getMissing', {}],
		['to every list of Get Summary', 'event', 'getSummary', {}],
	])('is sent %s', async (_, resource, operation, parameters) => {
		const given = { resource, operation, ...parameters };
		const named = await rig.run('eventRegistration', { ...given, ...forum });
		const numbered = { ...given, eventId: byId(known.eventId) };
		expect(named.error).toBeUndefined();
		expect(named.outputItems.length).toBeGreaterThan(0);
		expect(named.outputItems).toEqual(
			(await rig.run('eventRegistration', numbered as never)).outputItems,
		);
	});

	it('is looked up once for all items, and so are the types of each event', async () => {
		const names = ['Open Data Forum', 'Accessible Web Day', 'open data forum'];
		const input = Array.from({ length: 60 }, (_, index) => ({ event: names[index % 3]! }));
		const { outputItems, error } = await rig.run(
			'eventRegistration',
			{
				resource: 'registrationType',
				operation: 'get',
				eventId: byName('={{ $json.event }}'),
				registrationTypeId: byName('={{ "Speaker" }}'),
			},
			input,
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ RegistrationTypeId }) => RegistrationTypeId)).toEqual(
			input.map((_, index) => (index % 3 === 1 ? 2012 : 2002)),
		);
		expect([count(EVENTS), count(TYPES)]).toEqual([1, 2]);
	});
});

describe('a registration type', () => {
	it('is that of the event, with the event by name or by ID', async () => {
		const { outputItems, error } = await run(
			'create',
			{
				eventId: byName('={{ $json.event }}'),
				registrationTypeId: byName('={{ $json.type }}'),
				details: mapped({ ...zoe, Email: '={{ $json.email }}' }),
			},
			[
				{ event: 'Open Data Forum', type: 'press', email: 'a@tarnvale.example' },
				{ event: 'Accessible Web Day', type: 'PRESS', email: 'b@tarnvale.example' },
				{ event: 'Open Data Forum', type: 'Sponsor', email: 'c@tarnvale.example' },
			],
		);
		expect(error).toBeUndefined();
		const [first, second, third] = outputItems.map(({ RegistrationId }) => RegistrationId);
		expect(await typeOf(1001, first)).toBe(2005);
		expect(await typeOf(1002, second)).toBe(2015);
		expect(await typeOf(1001, third)).toBe(2004);
	});

	it('filters the missing registrations', async () => {
		const missing = async (registrationTypeId: object) =>
			await rig.run('eventRegistration', {
				...{ resource: 'attendance', operation: 'getMissing', returnAll: true },
				...{ ...forum, filters: { registrationTypeId } },
			} as never);
		const { outputItems, error } = await missing(byName('student'));
		expect(error).toBeUndefined();
		expect(outputItems.length).toBeGreaterThan(0);
		expect(outputItems).toEqual((await missing(byId(2003))).outputItems);
	});

	it('is changed by Update, and kept if the name is blank', async () => {
		const change = async (type: string, phone: string) =>
			await run('update', {
				eventId: byId(known.eventId),
				registrationId: byId(known.registrationId),
				registrationTypeId: byName(type),
				details: mapped({ MobilePhone: phone }),
			});
		expect((await change('Student', '1')).error).toBeUndefined();
		expect(await typeOf(known.eventId, known.registrationId)).toBe(2003);
		expect((await change(' \u200b', '2')).error).toBeUndefined();
		expect(await typeOf(known.eventId, known.registrationId)).toBe(2003);
	});

	it('is set by Create or Update, which locks on the ID that was found', async () => {
		const input = ['Open Data Forum', 'open data forum', 'OPEN DATA FORUM'];
		const { outputItems, error } = await run(
			'createOrUpdate',
			{
				eventId: byName('={{ $json.event }}'),
				email: zoe.Email,
				registrationTypeId: byName('Speaker'),
				details: mapped({ FirstName: zoe.FirstName, LastName: zoe.LastName }),
			},
			input.map((event) => ({ event })),
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ created }) => created)).toEqual([true, false, false]);
		expect(outputItems[0]).toMatchObject({ RegistrationTypeId: 2002 });
	});

	it('filters a search', async () => {
		const found = async (registrationTypeId: object) =>
			(await run('search', { ...forum, criteria: { registrationTypeId }, returnAll: true }))
				.outputItems;
		const speakers = await found(byName('speaker'));
		expect(speakers.length).toBeGreaterThan(0);
		expect(speakers).toEqual(await found(byId(2002)));
		expect(new Set(speakers.map(({ RegistrationType }) => RegistrationType))).toEqual(
			new Set(['Speaker']),
		);
	});
});

describe('a name that does not fit', () => {
	const failure = async (parameters: object, operation = 'getMany') =>
		(await run(operation, parameters)).error as Error & { description?: string };

	it('is reported with the existing names', async () => {
		const error = await failure({ eventId: byName('Open Date Forum') });
		expect(error.message).toBe('No event is named "Open Date Forum"');
		expect(error.description).toMatch(
			/^These events exist: (Open Data Forum|Festival of Open Maps), .*Lagos Cloud Conference.*\. Use one of these names, or choose the event from the list\.$/,
		);
		const type = { ...forum, criteria: { registrationTypeId: byName('VIP') } };
		const { message, description } = await failure(type, 'search');
		expect(message).toBe('No registration type is named "VIP"');
		expect(description).toContain('exist: Attendee, Speaker, Student, Sponsor, Press. Use');
		expect(count('searchRegistrations')).toBe(0);
	});

	it.each(['2026', 1001])(
		'is reported with advice on using an ID if it is the number %j',
		async (value) => {
			const { message, description } = await failure({ eventId: byName(value) });
			expect(message).toBe(`No event is named "${value}"`);
			expect(description).toMatch(/ To use the ID of the event, switch to By ID\.$/);
		},
	);

	it('is missing if it is blank and required', async () => {
		expect((await failure({ eventId: byName(' \u200f') })).message).toBe("'Event' is missing");
		const search = { ...forum, criteria: { registrationTypeId: byName('') } };
		expect((await failure(search, 'search')).message).toBe("'Registration Type' is missing");
		expect(count(EVENTS)).toBe(1);
	});

	it('is reported with a reference to the name mode if it was given as an ID', async () => {
		const inPath = await failure({ eventId: byId('Open Data Forum') });
		expect(inPath.message).toBe('\'Event\' must be a number, not "Open Data Forum"');
		expect(inPath.description).toMatch(/^To use the name, switch to By Name\. /);
		const typed = { ...forum, criteria: { registrationTypeId: byId('Speaker') } };
		const { description } = await failure(typed, 'search');
		expect(description).toMatch(/^To use the name, switch to By Name\. /);
	});

	it('fails its own item only', async () => {
		const { outputItems } = await run(
			'getMany',
			{ eventId: byName('={{ $json.event }}'), limit: 1 },
			[{ event: 'Open Data Forum' }, { event: 'Nowhere' }, { event: ['a'] }, { event: 'Nowhere' }],
			{ onError: 'continueRegularOutput' },
		);
		expect(outputItems).toMatchObject([
			{ RegistrationId: expect.any(Number) as number },
			{ error: expect.stringContaining('No event is named "Nowhere"') as string },
			{ error: expect.stringContaining("'Event' must be text, not a list") as string },
			{ error: expect.stringContaining('No event is named "Nowhere"') as string },
		]);
		expect(count(EVENTS)).toBe(1);
	});
});

it('an agent can name the event and the type', async () => {
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
		eventId: byName("={{ $fromAI('Event', ``, 'string') }}"),
		registrationTypeId: byName("={{ $fromAI('Registration_Type', ``, 'string') }}"),
	};
	const asked = async (query: object) =>
		await runNode(kit, 'eventRegistrationTool', parameters, [query as never]);
	const right = await asked({ Event: 'open data forum', Registration_Type: 'speaker' });
	expect(right.error).toBeUndefined();
	expect(right.outputItems).toMatchObject([{ RegistrationTypeId: 2002 }]);
	const wrong = await asked({ Event: '1001', Registration_Type: 'speaker' });
	expect(wrong.error!.message).toMatch(
		/^No event is named "1001"\. These events exist: .* Tell the person who runs this workflow: To use the ID/,
	);
});

describe('the lists of the panel', () => {
	const panel = (eventId: object) =>
		openPanel(rig.kit, 'eventRegistration', { eventId, operation: 'create' } as never);

	it.each(['searchSessions', 'searchRegistrationTypes', 'searchRegistrations', 'searchOrders'])(
		'%s shows those of an event by name',
		async (method) => {
			const named = (await panel(byName('accessible web day')).list(method)).results;
			expect(named.length).toBeGreaterThan(0);
			expect(count(EVENTS)).toBe(1);
			expect(named).toEqual((await panel(byId(1002)).list(method)).results);
		},
	);

	it('the form and the options are those of an event by name, too', async () => {
		const [named, numbered] = [panel(byName('accessible web day')), panel(byId(1002))];
		expect(await named.inputs('getRegistrationForm')).toEqual(
			await numbered.inputs('getRegistrationForm'),
		);
		const options = await named.choices('getOptions');
		expect(options.length).toBeGreaterThan(0);
		expect(options).toEqual(await numbered.choices('getOptions'));
	});

	it('report a name that does not fit, and wait for one', async () => {
		await expect(panel(byName('Nowhere')).list('searchSessions')).rejects.toThrow(
			'No event is named "Nowhere"',
		);
		await expect(panel(byName('')).list('searchSessions')).rejects.toThrow(
			'Choose the Event first',
		);
	});
});
