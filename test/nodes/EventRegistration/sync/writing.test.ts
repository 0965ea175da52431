// Protects the writes of Sync: it stops if the service clears fields or rejects requests, and removes no changed contact.
import { locateById } from '../../../support/locators';
import { mapperValue } from '../demoIds';
import type { FaultDecision } from './faultProxy';
import { applyMode, readChanges, makeCustomFields, errorOutput, makePerson } from './people';
import { useSync } from './syncRig';

const { rig, proxy, createList, readContacts, performAction, countRequests, sync } = useSync();

const settings = () => rig.sandbox.settings.eventRegistration;
const addFaultRule = (operation: string, rule: object) =>
	rig.sandbox.faultRules.add({ service: 'eventRegistration', operation, ...rule } as never);
const readContactsByName = async (listId: number) =>
	Object.fromEntries((await readContacts(listId)).map((contact) => [contact.LastName, contact]));

describe('the first update', () => {
	it.each([{}, errorOutput])('stops Sync if the service clears other fields (%j)', async (node) => {
		settings().contactUpdateMode = 'replaceCustom';
		const people = ['ada', 'bob', 'cem'].map((name) =>
			makePerson(name, makeCustomFields({ Country: 'Norway' })),
		);
		const listId = await createList(people);
		const input = [...people.map((row) => ({ ...row, Phone: '1' })), makePerson('new')];
		const { outputItems, errorItems, error } = await sync(listId, input, applyMode, node);
		expect(outputItems).toEqual([]);
		const message = error?.message ?? (errorItems[0]!.json.error as string);
		expect(message).toMatch(/also changed fields of contact \d+ that were not sent: 'Country'/);
		expect([countRequests('updateContact'), countRequests('addContacts')]).toEqual([1, 0]);
		if (!error) expect(errorItems).toHaveLength(4);
		else expect((error as { description?: string }).description).toMatch(/Country: "Norway"/);
	});

	it('stops Sync if the contact cannot be read afterwards', async () => {
		const listId = await createList([makePerson('ada'), makePerson('bob')]);
		// Request 7 reads the contact after the update.
		proxy.decide(({ number }) => (number === 7 ? 'dropRequest' : 'pass'));
		const input = [makePerson('ada', { Phone: '1' }), makePerson('bob', { Phone: '1' })];
		const { error } = await sync(listId, input, applyMode);
		expect(error?.message).toMatch(/Contact \d+ was changed, but could not be read afterwards/);
		expect(countRequests('updateContact')).toBe(1);
	});

	it('is checked again with the next update if the service rejects it', async () => {
		settings().contactUpdateMode = 'replaceCustom';
		const people = ['ada', 'bob', 'cem'].map((name) =>
			makePerson(name, makeCustomFields({ Country: 'Norway' })),
		);
		const listId = await createList(people);
		const input = people.map((row, index) => ({
			...row,
			Industry: index === 0 ? 'Piracy' : 'Media',
		}));
		const { errorItems } = await sync(listId, input, applyMode, errorOutput);
		expect(errorItems.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/Industry/),
			expect.stringMatching(/that were not sent: 'Country'/),
			expect.stringMatching(/wasn't sent because an earlier one failed/),
		]);
		expect(countRequests('updateContact')).toBe(2);
	});
});

describe('a service that stores another spelling', () => {
	it('a contact whose text is stored differently is updated again, and a hint names the fields', async () => {
		Object.assign(settings(), { contactStorage: 'normalized', formShape: 'array' });
		const listId = await createList([makePerson('ada'), makePerson('bob')]);
		const input = [
			makePerson('ada', {
				Employees: '012',
				Newsletter: 'true',
				MemberSince: '2026-01-05T00:00:00Z',
				LastCall: '2026-01-05T10:00:00+01:00',
				Topics: ['Teaching', 'Health, Safety', 'Data'],
			}),
			makePerson('bob', { Phone: '+47 55 01' }),
		];
		const first = await sync(listId, input, applyMode);
		expect(readChanges(first.outputItems)).toEqual(Array(2).fill(['updated', true]));
		const { outputItems, hints } = await sync(listId, input, applyMode);
		expect(outputItems.map(({ change }) => change)).toEqual(['unchanged', 'updated']);
		expect(outputItems[1]!.changes).toEqual([{ field: 'Phone', from: '+475501', to: '+47 55 01' }]);
		for (const hintsOfRun of [first.hints, hints]) {
			expect(hintsOfRun.map(({ message }) => message)).toEqual([
				expect.stringMatching(/^The service stores 'Phone' in another spelling/),
			]);
		}
	});
});

describe('new contacts', () => {
	const input = [makePerson('ada'), { Email: 'no address', LastName: 'bad' }, makePerson('cem')];

	it('a contact that the service rejects fails, and the others are added', async () => {
		const listId = await createList([makePerson('old')]);
		const { outputItems, errorItems } = await sync(
			listId,
			input,
			{ ...applyMode, missing: 'remove' },
			errorOutput,
		);
		expect(readChanges(outputItems)).toEqual([
			['created', true],
			['created', true],
			['removed', true],
		]);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(Object.keys(await readContactsByName(listId)).sort()).toEqual(['ada', 'cem']);
	});

	it('a rejected contact ends the run before removals if On Error is not set', async () => {
		const listId = await createList([makePerson('old')]);
		const { error } = await sync(listId, input, { ...applyMode, missing: 'remove' });
		expect(error?.message).toMatch(
			/^Sync stopped after 0 changed, 2 added and 0 removed contacts: .*email address/i,
		);
		expect(countRequests('removeContact')).toBe(0);
	});
});

describe('a service that rejects all further requests', () => {
	it.each([{}, errorOutput])(
		'Sync stops after the first rejection, and the error has the counts so far (%j)',
		async (node) => {
			const people = ['ada', 'bob', 'cem'].map((name) => makePerson(name));
			const listId = await createList(people);
			addFaultRule('updateContact', { kind: '429', retryAfter: 9999 });
			const input = [...people.map((row) => ({ ...row, Phone: '1' })), makePerson('new')];
			const { outputItems, errorItems, error } = await sync(listId, input, applyMode, node);
			expect(outputItems).toEqual([]);
			expect(errorItems).toHaveLength(error ? 0 : 4);
			if (error)
				expect(error.message).toMatch(/^Sync stopped after 0 changed, 0 added and 0 removed/);
			expect([countRequests('updateContact'), countRequests('addContacts')]).toEqual([1, 0]);
		},
	);
});

describe('removals', () => {
	const applyAndRemove = { ...applyMode, missing: 'remove' } as const;

	it('a contact that has changed since the list was read is not removed', async () => {
		const listId = await createList([makePerson('ada'), makePerson('bob')]);
		const { bob } = await readContactsByName(listId);
		proxy.decide(({ method, path }) => {
			if (method === 'GET' && path.endsWith(`/${bob!.ContactId as number}`)) {
				rig.sandbox.clock.advance(1000);
				const { ContactId: contactId } = bob as { ContactId: number };
				performAction('changeContact', { contactListId: listId, contactId, Phone: '9' });
			}
			return 'pass';
		});
		const { outputItems } = await sync(listId, [makePerson('ada')], applyAndRemove);
		expect(outputItems[1]).toMatchObject({
			change: 'missing',
			applied: false,
			reason: 'It has changed since the list was read',
		});
		expect(countRequests('removeContact')).toBe(0);
	});

	it('a contact that was added after the reading began is never removed', async () => {
		const listId = await createList([makePerson('ada'), makePerson('old')]);
		let isAdded = false;
		proxy.decide(({ path }) => {
			if (path.endsWith('/contacts') && !isAdded) {
				isAdded = true;
				rig.sandbox.clock.advance(1000);
				performAction('addContact', { contactListId: listId, ...makePerson('fresh') });
			}
			return 'pass';
		});
		const { outputItems } = await sync(listId, [makePerson('ada')], applyAndRemove);
		expect(outputItems.map(({ key, change }) => [key, change])).toEqual([
			['ada@x.org', 'unchanged'],
			['old@x.org', 'removed'],
			['fresh@x.org', 'missing'],
		]);
	});

	it('a removal whose response is lost is retried if Max Attempts allows it, and succeeds', async () => {
		const listId = await createList([makePerson('ada'), makePerson('bob')]);
		addFaultRule('removeContact', { kind: 'drop', afterExecution: true, times: 1 });
		const { outputItems } = await sync(listId, [makePerson('ada')], {
			...applyAndRemove,
			options: { tries: 3 },
		});
		expect(readChanges(outputItems)).toEqual([
			['unchanged', false],
			['removed', true],
		]);
	});
});

describe('the lock of a list', () => {
	const runOnList = async (operation: string, listId: number, parameters: object) =>
		await rig.run('eventRegistration', {
			resource: 'contact',
			operation,
			// An ID with leading zeros has to use the same lock.
			contactListId: locateById(`00${listId}`),
			...parameters,
		});

	it.each([
		['createOrUpdate', { email: 'cem@x.org', details: mapperValue({ LastName: 'cem' }) }],
		['add', { details: mapperValue({ Email: 'cem@x.org' }) }],
	])(
		'%s waits for a Sync of its list, but not for a Sync of another list',
		async (operation, parameters) => {
			const [listId, otherListId] = [await createList([makePerson('ada')]), await createList()];
			let release: () => void = () => undefined;
			const released = new Promise<void>((resolve) => (release = resolve));
			let reportWriting: () => void = () => undefined;
			const updateStarted = new Promise<void>((resolve) => (reportWriting = resolve));
			const writeOrder: string[] = [];
			proxy.decide(async ({ method, path }): Promise<FaultDecision> => {
				if (method === 'PATCH') {
					reportWriting();
					await released;
				}
				if (method !== 'GET' && !path.endsWith('/search')) {
					writeOrder.push(
						`${method} ${new RegExp(`/contactlists/0*${listId}/`).test(path) ? 'synced' : 'other'}`,
					);
				}
				return 'pass';
			});
			const syncing = sync(listId, [makePerson('ada', { Phone: '1' })], applyMode);
			await updateStarted;
			const waiting = runOnList(operation, listId, parameters);
			expect((await runOnList(operation, otherListId, parameters)).error).toBeUndefined();
			release();
			const results = await Promise.all([syncing, waiting]);
			expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
			expect(writeOrder).toEqual(['POST other', 'PATCH synced', 'POST synced']);
		},
	);
});
