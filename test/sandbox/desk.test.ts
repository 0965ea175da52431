import type { DeskChange } from '../../sandbox/deskBus';
import { useSandbox } from '../support/sandbox';
import { atDesk, doAtDesk } from './deskClient';
import { eventDataClient, registrationClient } from './eventClients';
import type { Json } from './eventClients';

const sandbox = useSandbox();

const person = { FirstName: 'Đức', LastName: "N'Dour", Email: 'duc@ndour.example' };
const view = async <T = Json>(path: string): Promise<T> =>
	(await (await fetch(`${sandbox.deskUrl}/api/${path}`)).json()) as T;
const readChanges = async () => (await view<{ changes: DeskChange[] }>('changes')).changes;
const register = () =>
	doAtDesk(sandbox, 'eventRegistration', 'register', { eventId: 1004, ...person });

describe('the event log of the desk', () => {
	it('contains each change with its time, whoever made it', async () => {
		sandbox.clock.advance(1000);
		const nowMs = sandbox.clock.now();
		await register();
		const http = registrationClient(sandbox);
		await http.post('/events/1004/registrations', { ...person, FirstName: 'Kim' });
		const data = eventDataClient(sandbox);
		await data.post('/registrations', { eventId: 'evt_1001', attendeeId: 'att_2000001' });
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

	it('spells a cancellation like other texts, whatever the service calls it', async () => {
		const { RegistrationId: registrationId } = await register();
		await doAtDesk(sandbox, 'eventRegistration', 'setRegistrationStatus', {
			eventId: 1004,
			registrationId,
			status: 'Cancelled',
		});
		const { registration } = await doAtDesk<Record<string, Json>>(
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
		await doAtDesk(sandbox, 'eventData', 'setRegistrationStatus', {
			registrationId: registration!.id,
			status: 'cancelled',
		});
		const texts = (await readChanges()).map(({ text }) => text);
		expect(texts.filter((text) => text.endsWith(' is canceled now'))).toHaveLength(2);
	});

	it('contains no reads and no rejected requests', async () => {
		const http = registrationClient(sandbox);
		await http.get('/events/1004/registrations');
		await http.post('/events/1004/registrations/search', { Email: 'nobody@example.com' });
		await http.post('/events/1004/registrations', {});
		await atDesk(sandbox, 'eventRegistration', 'register', { eventId: 1004 });
		await view('eventRegistration/people?eventId=1004');
		expect(await readChanges()).toEqual([]);
	});

	it('has one line for many contacts, and at most a hundred lines', async () => {
		const http = registrationClient(sandbox);
		const many = Array.from({ length: 300 }, (_, place) => ({ Email: `p${place}@example.com` }));
		await http.post('/contactlists/7003/contacts', many);
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

	it('is streamed as it grows, and leaves no listener behind', async () => {
		const stop = new AbortController();
		const response = await fetch(`${sandbox.deskUrl}/api/stream`, { signal: stop.signal });
		expect(response.headers.get('content-type')).toMatch('text/event-stream');
		const reader = response.body!.getReader();
		let text = '';
		const until = async (expectedText: string) => {
			while (!text.includes(expectedText))
				text += Buffer.from((await reader.read()).value!).toString();
		};
		await until('event: refresh');
		await register();
		await until('was registered');
		expect(text).toContain('event: item');
		sandbox.clock.advance(5);
		await doAtDesk(sandbox, 'eventRegistration', 'changeEvent', { eventId: 1004, Name: 'Marker' });
		await until('Marker');
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
	it('has the newest people first, found by every word without accents', async () => {
		const { RegistrationId } = await register();
		const searchResult = await view<{ total: number; found: number; people: Json[] }>(
			'eventRegistration/people?eventId=1004&search=ndour%20DUC@',
		);
		expect(searchResult).toMatchObject({
			total: 401,
			found: 1,
			people: [{ RegistrationId, visit: null }],
		});
		const allPeople = await view<{ people: Json[] }>('eventRegistration/people?eventId=1004');
		expect(allPeople.people).toHaveLength(50);
		expect(allPeople.people[0]).toMatchObject({ RegistrationId });
		const none = await view<{ found: number }>(
			'eventRegistration/people?eventId=1004&search=duc%20nobody',
		);
		expect(none.found).toBe(0);
	});

	it('has the payments of a person: valid, paid and due', async () => {
		const { RegistrationId: registrationId } = await register();
		const ids = { eventId: 1004, registrationId };
		const options = (id: number) => ({ RegistrationOptions: [{ RegistrationOptionId: id }] });
		const order = (input: Json) =>
			doAtDesk(sandbox, 'eventRegistration', 'order', { ...ids, ...input });
		const person = () =>
			view(`eventRegistration/person?eventId=1004&registrationId=${String(registrationId)}`);
		expect(await person()).toMatchObject({ sale: null, total: 0, paid: 0, due: 0 });
		// A full pass for 5200, which is then changed to a day for 3120.
		await order(options(41301));
		expect(await person()).toMatchObject({ total: 5200, paid: 5200, due: 0 });
		await order({ ...options(41302), PaymentAmount: 0 });
		expect(await person()).toMatchObject({ total: 3120, paid: 5200, due: -2080 });
	});

	it.each([
		['eventRegistration/people', 400],
		['eventRegistration/people?eventId=1', 404],
		['eventRegistration/people?eventId=1004&search=a&search=b', 400],
		['eventRegistration/nothing', 404],
		['eventRegistration/constructor', 404],
		['eventData/event?eventId=evt_1', 404],
		['twoFactor/users', 404],
	])('returns a clear error at %s', async (path, status) => {
		const response = await fetch(`${sandbox.deskUrl}/api/${path}`);
		expect(response.status).toBe(status);
		expect(((await response.json()) as Json).error).toMatch(/\w+ \w+/);
	});

	it('is not in the request log', async () => {
		await register();
		await view('eventRegistration/people?eventId=1004');
		expect(sandbox.requestLog.entries()).toEqual([]);
	});
});
