import { locateById, mapperValue } from '../samples';
import type { FaultDecision } from './faultProxy';
import { apply, changesIn, customFields, onError, person } from './people';
import { useSync } from './syncRig';

const { rig, proxy, list, contacts, control, count, sync } = useSync();

const settings = () => rig.sandbox.settings.eventRegistration;
const addFaultRule = (operation: string, rule: object) =>
	rig.sandbox.faultRules.add({ service: 'eventRegistration', operation, ...rule } as never);
const contactsByName = async (listId: number) =>
	Object.fromEntries((await contacts(listId)).map((contact) => [contact.LastName, contact]));

describe('the first update', () => {
	it.each([{}, onError])(
		'the first update stops Sync if the service clears other fields (%j)',
		async (node) => {
			settings().updatesContacts = 'replaceCustom';
			const people = ['ada', 'bob', 'cem'].map((name) =>
				person(name, customFields({ Country: 'Norway' })),
			);
			const listId = await list(people);
			const input = [...people.map((row) => ({ ...row, Phone: '1' })), person('new')];
			const { outputItems, errorItems, error } = await sync(listId, input, apply, node);
			expect(outputItems).toEqual([]);
			const message = error?.message ?? (errorItems[0]!.json.error as string);
			expect(message).toMatch(/also changed fields of contact \d+ that were not sent: 'Country'/);
			expect([count('updateContact'), count('addContacts')]).toEqual([1, 0]);
			if (!error) expect(errorItems).toHaveLength(4);
			else expect((error as { description?: string }).description).toMatch(/Country: "Norway"/);
		},
	);

	it('stops Sync if the contact cannot be read afterwards', async () => {
		const listId = await list([person('ada'), person('bob')]);
		proxy.decide(({ number }) => (number === 7 ? 'dropRequest' : 'pass'));
		const input = [person('ada', { Phone: '1' }), person('bob', { Phone: '1' })];
		const { error } = await sync(listId, input, apply);
		expect(error?.message).toMatch(/Contact \d+ was changed, but could not be read afterwards/);
		expect(count('updateContact')).toBe(1);
	});

	it('a rejected first update is followed by the next one', async () => {
		settings().updatesContacts = 'replaceCustom';
		const people = ['ada', 'bob', 'cem'].map((name) =>
			person(name, customFields({ Country: 'Norway' })),
		);
		const listId = await list(people);
		const input = people.map((row, index) => ({
			...row,
			Industry: index === 0 ? 'Piracy' : 'Media',
		}));
		const { errorItems } = await sync(listId, input, apply, onError);
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/Industry/),
			expect.stringMatching(/that were not sent: 'Country'/),
			expect.stringMatching(/wasn't sent because an earlier one failed/),
		]);
		expect(count('updateContact')).toBe(2);
	});
});

describe('a service that stores another spelling', () => {
	it('such a contact is updated again, and a hint names the fields', async () => {
		Object.assign(settings(), { storesContacts: 'normalized', formShape: 'array' });
		const listId = await list([person('ada'), person('bob')]);
		const input = [
			person('ada', {
				Employees: '012',
				Newsletter: 'true',
				MemberSince: '2026-01-05T00:00:00Z',
				LastCall: '2026-01-05T10:00:00+01:00',
				Topics: ['Teaching', 'Health, Safety', 'Data'],
			}),
			person('bob', { Phone: '+47 55 01' }),
		];
		const first = await sync(listId, input, apply);
		expect(changesIn(first.outputItems)).toEqual(Array(2).fill(['updated', true]));
		const { outputItems, hints } = await sync(listId, input, apply);
		expect(outputItems.map(({ change }) => change)).toEqual(['unchanged', 'updated']);
		expect(outputItems[1]!.changes).toEqual([{ field: 'Phone', from: '+475501', to: '+47 55 01' }]);
		for (const shown of [first.hints, hints]) {
			expect(shown.map(({ message }) => message)).toEqual([
				expect.stringMatching(/^The service stores 'Phone' in another spelling/),
			]);
		}
	});
});

describe('new contacts', () => {
	const input = [person('ada'), { Email: 'no address', LastName: 'bad' }, person('cem')];

	it('other contacts are added if the service rejects one, which fails separately', async () => {
		const listId = await list([person('old')]);
		const { outputItems, errorItems } = await sync(
			listId,
			input,
			{ ...apply, missing: 'remove' },
			onError,
		);
		expect(changesIn(outputItems)).toEqual([
			['created', true],
			['created', true],
			['removed', true],
		]);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(Object.keys(await contactsByName(listId)).sort()).toEqual(['ada', 'cem']);
	});

	it('a rejected contact ends the run before removals, without Continue On Fail', async () => {
		const listId = await list([person('old')]);
		const { error } = await sync(listId, input, { ...apply, missing: 'remove' });
		expect(error?.message).toMatch(
			/^Sync stopped after 0 changed, 2 added and 0 removed contacts: .*email address/i,
		);
		expect(count('removeContact')).toBe(0);
	});
});

describe('a service that rejects all further requests', () => {
	it.each([{}, onError])(
		'Sync stops at once, and the error says what was done so far (%j)',
		async (node) => {
			const people = ['ada', 'bob', 'cem'].map((name) => person(name));
			const listId = await list(people);
			addFaultRule('updateContact', { kind: '429', retryAfter: 9999 });
			const input = [...people.map((row) => ({ ...row, Phone: '1' })), person('new')];
			const { outputItems, errorItems, error } = await sync(listId, input, apply, node);
			expect(outputItems).toEqual([]);
			expect(errorItems).toHaveLength(error ? 0 : 4);
			if (error)
				expect(error.message).toMatch(/^Sync stopped after 0 changed, 0 added and 0 removed/);
			expect([count('updateContact'), count('addContacts')]).toEqual([1, 0]);
		},
	);
});

describe('removals', () => {
	const applyAndRemove = { ...apply, missing: 'remove' } as const;

	it('a contact that has changed since the list was read is not removed', async () => {
		const listId = await list([person('ada'), person('bob')]);
		const { bob } = await contactsByName(listId);
		proxy.decide(({ method, path }) => {
			if (method === 'GET' && path.endsWith(`/${bob!.ContactId as number}`)) {
				rig.sandbox.clock.advance(1000);
				const { ContactId: contactId } = bob as { ContactId: number };
				control('changeContact', { contactListId: listId, contactId, Phone: '9' });
			}
			return 'pass';
		});
		const { outputItems } = await sync(listId, [person('ada')], applyAndRemove);
		expect(outputItems[1]).toMatchObject({
			change: 'missing',
			applied: false,
			reason: 'It has changed since the list was read',
		});
		expect(count('removeContact')).toBe(0);
	});

	it('a contact that no longer exists counts as removed', async () => {
		const listId = await list([person('ada'), person('bob')]);
		const { bob } = await contactsByName(listId);
		const { ContactId: contactId } = bob as { ContactId: number };
		proxy.decide(({ method, path }) => {
			if (method === 'GET' && path.endsWith(`/${contactId}`)) {
				control('removeContact', { contactListId: listId, contactId });
			}
			return 'pass';
		});
		const { outputItems } = await sync(listId, [person('ada')], applyAndRemove);
		expect(outputItems[1]).toMatchObject({
			change: 'removed',
			applied: true,
			ContactId: contactId,
		});
		expect(count('removeContact')).toBe(0);
	});

	it('a contact that was added after the reading began is never removed', async () => {
		const listId = await list([person('ada'), person('old')]);
		let isAdded = false;
		proxy.decide(({ path }) => {
			if (path.endsWith('/contacts') && !isAdded) {
				isAdded = true;
				rig.sandbox.clock.advance(1000);
				control('addContact', { contactListId: listId, ...person('fresh') });
			}
			return 'pass';
		});
		const { outputItems } = await sync(listId, [person('ada')], applyAndRemove);
		expect(outputItems.map(({ key, change }) => [key, change])).toEqual([
			['ada@x.org', 'unchanged'],
			['old@x.org', 'removed'],
			['fresh@x.org', 'missing'],
		]);
	});

	it('a removal whose response is lost is retried, and succeeds', async () => {
		const listId = await list([person('ada'), person('bob')]);
		addFaultRule('removeContact', { kind: 'drop', after: true, times: 1 });
		const { outputItems } = await sync(listId, [person('ada')], {
			...applyAndRemove,
			options: { tries: 3 },
		});
		expect(changesIn(outputItems)).toEqual([
			['unchanged', false],
			['removed', true],
		]);
	});
});

describe('the lock', () => {
	const write = async (operation: string, listId: number, parameters: object) =>
		await rig.run('eventRegistration', {
			resource: 'contact',
			operation,
			contactListId: locateById(`00${listId}`),
			...parameters,
		});

	it.each([
		['createOrUpdate', { email: 'cem@x.org', details: mapperValue({ LastName: 'cem' }) }],
		['add', { details: mapperValue({ Email: 'cem@x.org' }) }],
	])(
		'operation %s waits for a Sync of the list, but not for one of another list',
		async (operation, parameters) => {
			const [listId, otherListId] = [await list([person('ada')]), await list()];
			let release: () => void = () => undefined;
			const released = new Promise<void>((resolve) => (release = resolve));
			let reportWriting: () => void = () => undefined;
			const writing = new Promise<void>((resolve) => (reportWriting = resolve));
			const order: string[] = [];
			proxy.decide(async ({ method, path }): Promise<FaultDecision> => {
				if (method === 'PATCH') {
					reportWriting();
					await released;
				}
				if (method !== 'GET' && !path.endsWith('/search')) {
					order.push(
						`${method} ${new RegExp(`/contactlists/0*${listId}/`).test(path) ? 'synced' : 'other'}`,
					);
				}
				return 'pass';
			});
			const syncing = sync(listId, [person('ada', { Phone: '1' })], apply);
			await writing;
			const waiting = write(operation, listId, parameters);
			expect((await write(operation, otherListId, parameters)).error).toBeUndefined();
			release();
			const results = await Promise.all([syncing, waiting]);
			expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
			expect(order).toEqual(['POST other', 'PATCH synced', 'POST synced']);
		},
	);
});
