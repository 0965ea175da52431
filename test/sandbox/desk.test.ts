// Protects users of the desk: its event log has each change once, and its pages show people and amounts as they are.
import type { DeskChange } from '../../sandbox/deskBus';
import { useSandbox } from '../support/sandbox';
import { sendToDesk, performAtDesk } from './deskClient';
import { eventDataClient, registrationClient } from './eventClients';
import type { Json } from './eventClients';

const sandbox = useSandbox();

const person = { FirstName: 'Đức', LastName: "N'Dour", Email: 'duc@ndour.example' };
const readDesk = async <T = Json>(path: string): Promise<T> =>
	(await (await fetch(`${sandbox.deskUrl}/api/${path}`)).json()) as T;
const readChanges = async () => (await readDesk<{ changes: DeskChange[] }>('changes')).changes;
const register = () =>
	performAtDesk(sandbox, 'eventRegistration', 'register', { eventId: 1004, ...person });

describe('the event log of the desk', () => {
	it('contains each change of the desk and of the API with its time', async () => {
		sandbox.clock.advance(1000);
		const nowMs = sandbox.clock.now();
		await register();
		const registrationHttp = registrationClient(sandbox);
		await registrationHttp.post('/events/1004/registrations', { ...person, FirstName: 'Kim' });
		const eventDataHttp = eventDataClient(sandbox);
		await eventDataHttp.post('/registrations', { eventId: 'evt_1001', attendeeId: 'att_2000001' });
		const changes = await readChanges();
		const [first, ...others] = changes.map(({ service, by, eventId, text }) => [
			service,
			by,
			eventId,
			text,
		]);
		expect(first).toEqual(['eventRegistration', 'desk', '1004', "Đức N'Dour was registered"]);
		expect(others).toEqual([
			['eventRegistration', 'api', '1004', "Kim N'Dour was registered"],
			['eventData', 'api', 'evt_1001', expect.stringMatching(/ was registered$/)],
		]);
		for (const change of changes) expect(change.at).toBeGreaterThanOrEqual(nowMs);
		expect(changes.map(({ id }) => id)).toEqual([...new Set(changes.map(({ id }) => id))]);
	});

	it('spells "canceled" in one way, although the services use two spellings', async () => {
		const { RegistrationId: registrationId } = await register();
		await performAtDesk(sandbox, 'eventRegistration', 'setRegistrationStatus', {
			eventId: 1004,
			registrationId,
			status: 'Cancelled',
		});
		const { registration } = await performAtDesk<Record<string, Json>>(
			sandbox,
			'eventData',
			'register',
			{
				eventId: 'evt_1001',
				firstName: 'Kim',
				lastName: 'Okafor',
				email: 'kim@okafor.example',
			},
		);
		await performAtDesk(sandbox, 'eventData', 'setRegistrationStatus', {
			registrationId: registration!.id,
			status: 'cancelled',
		});
		const texts = (await readChanges()).map(({ text }) => text);
		expect(texts.filter((text) => text.endsWith(' is canceled now'))).toHaveLength(2);
	});

	it('does not contain reads and rejected requests', async () => {
		const registrationHttp = registrationClient(sandbox);
		await registrationHttp.get('/events/1004/registrations');
		await registrationHttp.post('/events/1004/registrations/search', {
			Email: 'nobody@example.com',
		});
		await registrationHttp.post('/events/1004/registrations', {});
		await sendToDesk(sandbox, 'eventRegistration', 'register', { eventId: 1004 });
		await readDesk('eventRegistration/people?eventId=1004');
		expect(await readChanges()).toEqual([]);
	});

	it('has one line for many contacts, and at most a hundred lines', async () => {
		const registrationHttp = registrationClient(sandbox);
		const newContacts = Array.from({ length: 300 }, (_, index) => ({
			Email: `p${index}@example.com`,
		}));
		await registrationHttp.post('/contactlists/7003/contacts', newContacts);
		expect((await readChanges()).map(({ text }) => text)).toEqual([
			'300 contacts were added to Speakers',
		]);
		for (let i = 0; i < 120; i++) {
			sandbox.control('eventRegistration', 'changeEvent', { eventId: 1004, Name: `Name ${i}` });
		}
		const lines = await readChanges();
		expect(lines).toHaveLength(100);
		expect(lines.at(-1)!.text).toBe('The event Name 119 was changed');
		sandbox.reset();
		expect(await readChanges()).toEqual([]);
	});

	it('is streamed as it grows, and the stream leaves no listener behind', async () => {
		const stop = new AbortController();
		const response = await fetch(`${sandbox.deskUrl}/api/stream`, { signal: stop.signal });
		expect(response.headers.get('content-type')).toMatch('text/event-stream');
		const reader = response.body!.getReader();
		let text = '';
		const readUntil = async (expectedText: string) => {
			while (!text.includes(expectedText))
				text += Buffer.from((await reader.read()).value!).toString();
		};
		await readUntil('event: refresh');
		await register();
		await readUntil('was registered');
		expect(text).toContain('event: item');
		sandbox.clock.advance(5);
		await performAtDesk(sandbox, 'eventRegistration', 'changeEvent', {
			eventId: 1004,
			Name: 'Marker',
		});
		await readUntil('Marker');
		expect(text.match(/event: refresh/g)).toHaveLength(2);
		stop.abort();
		const { desk } = sandbox.world;
		for (let i = 0; i < 200 && desk.listenerCount('item') > 0; i++) {
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		expect([desk.listenerCount('item'), desk.listenerCount('refresh')]).toEqual([0, 0]);
	});
});

describe('the data of the desk', () => {
	it('lists the newest people first and finds them by words without accents', async () => {
		const { RegistrationId } = await register();
		const searchResult = await readDesk<{ total: number; found: number; people: Json[] }>(
			'eventRegistration/people?eventId=1004&search=ndour%20DUC@',
		);
		expect(searchResult).toMatchObject({
			total: 401,
			found: 1,
			people: [{ RegistrationId, visit: null }],
		});
		const allPeople = await readDesk<{ people: Json[] }>('eventRegistration/people?eventId=1004');
		expect(allPeople.people).toHaveLength(50);
		expect(allPeople.people[0]).toMatchObject({ RegistrationId });
		const emptyResult = await readDesk<{ found: number }>(
			'eventRegistration/people?eventId=1004&search=duc%20nobody',
		);
		expect(emptyResult.found).toBe(0);
	});

	it('shows the total, paid and due amounts of a person', async () => {
		const { RegistrationId: registrationId } = await register();
		const ids = { eventId: 1004, registrationId };
		const selectOption = (id: number) => ({ RegistrationOptions: [{ RegistrationOptionId: id }] });
		const placeOrder = (input: Json) =>
			performAtDesk(sandbox, 'eventRegistration', 'order', { ...ids, ...input });
		const readPerson = () =>
			readDesk(`eventRegistration/person?eventId=1004&registrationId=${String(registrationId)}`);
		expect(await readPerson()).toMatchObject({ sale: null, total: 0, paid: 0, due: 0 });
		// A full pass for 5200, which is then changed to a day for 3120.
		await placeOrder(selectOption(41301));
		expect(await readPerson()).toMatchObject({ total: 5200, paid: 5200, due: 0 });
		await placeOrder({ ...selectOption(41302), PaymentAmount: 0 });
		expect(await readPerson()).toMatchObject({ total: 3120, paid: 5200, due: -2080 });
	});

	it.each([
		['eventRegistration/people', 400],
		['eventRegistration/people?eventId=1', 404],
		['eventRegistration/people?eventId=1004&search=a&search=b', 400],
		['eventRegistration/nothing', 404],
		['eventRegistration/constructor', 404],
		['eventData/event?eventId=evt_1', 404],
		['twoFactor/users', 404],
	])('returns an error message for the path %s, with status %i', async (path, status) => {
		const response = await fetch(`${sandbox.deskUrl}/api/${path}`);
		expect(response.status).toBe(status);
		expect(((await response.json()) as Json).error).toMatch(/\w+ \w+/);
	});

	it('is read without entries in the request log', async () => {
		await register();
		await readDesk('eventRegistration/people?eventId=1004');
		expect(sandbox.requestLog.entries()).toEqual([]);
	});
});
