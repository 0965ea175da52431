// Protects contact lists while writes fail: ten lost responses in a row stop Sync, and no contact is sent again.
import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../../../nodes/engine/errors';
import type { ItemCall } from '../../../../nodes/engine/operation';
import { writeCreations } from '../../../../nodes/EventRegistration/contact/sync/creations';
import type { SyncedList } from '../../../../nodes/EventRegistration/contact/sync/list';
import { stoppedFailure } from '../../../../nodes/EventRegistration/contact/sync/output';
import type { ListReading } from '../../../../nodes/EventRegistration/contact/sync/readList';
import type { PlannedCreation } from '../../../../nodes/EventRegistration/contact/sync/signUps';
import type { SyncScope } from '../../../../nodes/EventRegistration/contact/sync/types';
import { WriteResults } from '../../../../nodes/EventRegistration/contact/sync/writeResults';
import { useFake } from '../fakeService';
import type { Reply } from '../fakeService';
import { applyMode, applyToFake, makePeople, errorOutput, makePerson } from './people';
import { useSync } from './syncRig';

const changePhones = (people: IDataObject[]) => people.map((row) => ({ ...row, Phone: '1' }));

describe('Sync of a list in the sandbox', () => {
	const { rig, proxy, createList, readContacts, performAction, countRequests, sync } = useSync();
	const getContactId = async (listId: number, name: string) =>
		(await readContacts(listId)).find(({ LastName }) => LastName === name)!.ContactId as number;

	it.each(['ada', 'cem'])(
		'only the update of %s fails if this contact is deleted after the list was read',
		async (name) => {
			const people = ['ada', 'bob', 'cem'].map((lastName) => makePerson(lastName));
			const listId = await createList(people);
			const contactId = await getContactId(listId, name);
			let exists = true;
			proxy.decide(({ path }) => {
				if (exists && path.endsWith(`/${contactId}`)) {
					exists = false;
					performAction('removeContact', { contactListId: listId, contactId });
				}
				return 'pass';
			});
			const input = [...changePhones(people), makePerson('new')];
			const { outputItems, errorItems } = await sync(listId, input, applyMode, errorOutput);
			expect(outputItems.map(({ change, applied }) => [change, applied])).toEqual([
				['updated', true],
				['updated', true],
				['created', true],
			]);
			expect(errorItems.map(({ json }) => json.LastName)).toEqual([name]);
		},
	);

	it.each([{}, errorOutput])('ten lost responses in a row stop Sync (%j)', async (node) => {
		const people = makePeople(30);
		const listId = await createList(people);
		let patches = 0;
		let posts = 0;
		proxy.decide(({ method }) => {
			if (method === 'POST') posts++;
			return method === 'PATCH' && ++patches > 1 ? 'dropRequest' : 'pass';
		});
		const parameters = { ...applyMode, options: { itemsAtATime: 1 } };
		const input = [...changePhones(people), makePerson('new')];
		const { outputItems, errorItems, error } = await sync(listId, input, parameters, node);
		expect([patches, posts]).toEqual([11, 0]);
		if (node !== errorOutput) {
			expect(error?.message).toMatch(
				/^Sync stopped after 1 changed, 0 added and 0 removed contacts, with 10 uncertain: /,
			);
			return;
		}
		expect(outputItems.map(({ change }) => change)).toEqual([
			'updated',
			...Array(10).fill('uncertain'),
		]);
		expect(errorItems).toHaveLength(20);
	});

	it.each([{}, errorOutput])(
		'lost responses do not stop Sync if every second update succeeds (%j)',
		async (node) => {
			const people = makePeople(24);
			const listId = await createList(people);
			let patches = 0;
			proxy.decide(({ method }) =>
				method === 'PATCH' && ++patches % 2 === 0 ? 'dropRequest' : 'pass',
			);
			const parameters = { ...applyMode, options: { itemsAtATime: 1 } };
			const { outputItems, hints } = await sync(listId, changePhones(people), parameters, node);
			expect(outputItems.filter(({ change }) => change === 'uncertain')).toHaveLength(12);
			expect(hints.map(({ message }) => message).join()).toMatch(/^The answers about 12 contacts/);
			expect(patches).toBe(24);
		},
	);

	it('contacts whose response was lost are not sent again when n8n repeats the run', async () => {
		const listId = await createList([makePerson('old')]);
		let posts = 0;
		let hasDroppedRead = false;
		// The first batch is lost. The lost read before the removal makes the first try fail, so that n8n repeats the run.
		proxy.decide(({ method, path }) => {
			if (method === 'POST' && ++posts === 1) return 'dropRequest';
			const isRead = method === 'GET' && /\/contacts\/\d+$/.test(path);
			if (!isRead || hasDroppedRead) return 'pass';
			hasDroppedRead = true;
			return 'dropRequest';
		});
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const parameters = { ...applyMode, missing: 'remove' } as const;
		const { outputItems, error } = await sync(
			listId,
			[makePerson('ada'), makePerson('bob')],
			parameters,
			retry,
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ change }) => change)).toEqual(['uncertain', 'uncertain', 'removed']);
		expect([posts, hasDroppedRead]).toEqual([1, true]);
	});

	it('a contact that changes after the preview is not removed', async () => {
		const listId = await createList([makePerson('ada'), makePerson('bob'), makePerson('cem')]);
		const removeMissing = { missing: 'remove' } as const;
		const { outputItems: preview } = await sync(listId, [makePerson('ada')], removeMissing);
		rig.sandbox.clock.advance(2000);
		const contactId = await getContactId(listId, 'bob');
		performAction('changeContact', { contactListId: listId, contactId, Phone: '9' });
		const options = { expectedPlan: preview[0]!.plan };
		const { outputItems, error } = await sync(listId, [makePerson('ada')], {
			...applyMode,
			...removeMissing,
			options,
		});
		expect(error).toBeUndefined();
		expect(outputItems.slice(1)).toMatchObject([
			{ key: 'bob@x.org', change: 'missing', reason: 'It may have changed since the preview' },
			{ key: 'cem@x.org', change: 'removed', applied: true },
		]);
		expect(countRequests('removeContact')).toBe(1);
	});

	it("a blank 'Match By' fails if contacts may be removed; otherwise it means the address", async () => {
		const listId = await createList([makePerson('ada'), makePerson('bob')]);
		const matchBy = '={{ $json.nothing }}';
		const { error } = await sync(listId, [makePerson('ada')], { matchBy, missing: 'remove' });
		expect(error?.message).toBe("'Match By' is blank");
		const { outputItems } = await sync(listId, [makePerson('ada')], { matchBy, missing: 'report' });
		expect(outputItems.map(({ change }) => change)).toEqual(['unchanged', 'missing']);
	});
});

describe('a service that loses the responses to batches', () => {
	const fake = useFake();

	it('ten lost responses to batches of 100 stop Sync', async () => {
		let posts = 0;
		fake.respondWith(({ method, url }): Reply => {
			if (method === 'POST') posts++;
			if (method === 'POST') return { drop: true };
			if (url.endsWith('/contactform')) return { body: { Email: 'Email', Last: 'LastName' } };
			if (url.includes('/contacts?')) return { body: [] };
			return { body: { ContactListId: 7, ContactCount: 0, LastUpdated: 'monday' } };
		});
		const { outputItems, errorItems } = await fake.operate(
			'contact',
			'sync',
			applyToFake,
			makePeople(1150),
			errorOutput,
		);
		expect(posts).toBe(10);
		expect([outputItems.length, errorItems.length]).toEqual([1000, 150]);
	});
});

describe('many contacts whose responses were lost in an earlier attempt', () => {
	it.each([true, false])(
		'the contacts stay uncertain, and do not stop Sync (continues: %j)',
		async (continues) => {
			const creations = makePeople(12).map((_, index): PlannedCreation => ({
				row: { index, key: `${index}`, values: [] },
				change: 'created',
				changes: [],
			}));
			const writeResults = new WriteResults(continues);
			const callOf = () =>
				({
					journal: { settled: { error: new ServiceFailure('Lost', { uncertain: true }) } },
				}) as unknown as ItemCall;
			const unused = {} as { scope: SyncScope; reading: ListReading };
			await writeCreations({} as SyncedList, creations, writeResults, { ...unused, callOf });
			expect(writeResults.count('uncertain', 'created')).toBe(12);
			expect(writeResults.isStopped).toBe(false);
		},
	);
});

describe('request values that a service repeats in its error', () => {
	const messageWithRequest = `It failed: POST /contacts {"authorization":"key-0123456789"} ${'x'.repeat(300)}`;
	const makeCreation = (): PlannedCreation => ({
		row: { index: 0, key: 'a', values: [] },
		change: 'created',
		changes: [],
	});

	it('the reason of an uncertain contact, which n8n shows as data, does not contain the values', () => {
		const writeResults = new WriteResults(true);
		const planned = makeCreation();
		writeResults.recordFailureOfSentWrite(
			planned,
			new ServiceFailure(messageWithRequest, { status: 500, uncertain: true }),
		);
		expect(writeResults.of(planned)).toEqual({
			kind: 'uncertain',
			reason: expect.not.stringContaining('0123'),
		});
	});

	it('the error of a stopped run has the status in place of a long message', () => {
		const writeResults = new WriteResults(false);
		writeResults.recordFailureOfSentWrite(
			makeCreation(),
			new ServiceFailure(messageWithRequest, { status: 429 }),
		);
		expect((stoppedFailure(writeResults) as ServiceFailure).message).toBe(
			'Sync stopped after 0 changed, 0 added and 0 removed contacts: the service answered with the status 429',
		);
	});
});
