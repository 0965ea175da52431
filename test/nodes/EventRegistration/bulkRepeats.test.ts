// Protects contact lists when n8n retries a run: no contact is added twice, and the remaining contacts are sent.
import { useAcceleratedTime } from '../../support/fakeClock';
import {
	createContactAdder,
	createShrinkingList,
	readEmails,
	isBad,
	makePeople,
} from './bulkSamples';
import { createFakeList, useFake } from './fakeService';

useAcceleratedTime();

const fake = useFake();

const { addContacts, serveList } = createContactAdder(fake);
const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const makeAddresses = (count: number) => makePeople(count).map(({ email }) => email);

describe('adding contacts with Retry On Fail', () => {
	it('no contact is added twice if one contact stays invalid', async () => {
		const list = serveList(createFakeList({ isBad }));
		const { error } = await addContacts(makePeople(10, [4]), {}, retry);
		expect(list.contacts).toHaveLength(9);
		expect(new Set(readEmails(list)).size).toBe(9);
		expect(error!.message).toMatch(/^9 of 10 contacts were added, 1 was not: /);
	});

	it('the remaining contacts are sent if a batch was rejected temporarily', async () => {
		let batchCount = 0;
		const list = createFakeList({
			intercept: (_, sentContacts) =>
				sentContacts && ++batchCount === 2
					? { status: 409, body: { Message: 'Locked.' } }
					: undefined,
		});
		serveList(list);
		const { outputItems, error } = await addContacts(
			makePeople(30),
			{ contactsPerRequest: 10 },
			retry,
		);
		expect(error).toBeUndefined();
		expect(readEmails(list)).toEqual(makeAddresses(30));
		expect(outputItems.map(({ Email }) => Email)).toEqual(makeAddresses(30));
		expect(list.batchSizes).toEqual([10, 10, 10, 10]);
	});

	it.each([
		['if the failure ends the run', retry, [10, 10]],
		['if the run continues', { ...retry, onError: 'continueRegularOutput' }, [10, 10, 10]],
	])('a batch whose response was lost is never sent again %s', async (_, node, batchSizes) => {
		const endsRun = batchSizes.length === 2;
		const lostBatch = endsRun ? 2 : 1;
		let batchCount = 0;
		const list = createFakeList({
			intercept: (_, sentContacts) => {
				if (!sentContacts || ++batchCount !== lostBatch) return undefined;
				list.contacts.push(...sentContacts);
				return { drop: true };
			},
		});
		serveList(list);
		const { outputItems, error } = await addContacts(
			makePeople(30),
			{ contactsPerRequest: 10 },
			node,
		);
		expect(list.batchSizes).toEqual(batchSizes);
		expect(new Set(readEmails(list)).size).toBe(list.contacts.length);
		if (endsRun) {
			expect(error!.message).toMatch(
				/^10 of 30 contacts were added, 10 were not, 10 may or may not have been: /,
			);
		} else {
			expect(outputItems.filter(({ error: failed }) => failed !== undefined)).toHaveLength(10);
			expect(list.contacts).toHaveLength(30);
		}
	});
});

describe('a contact that may have been added is named if the next try fails before it sends anything', () => {
	const autoMap = { details: { mappingMode: 'autoMapInputData', value: null, schema: [] } };
	const formWith = (name: string) => ({ body: [{ name, caption: name, type: 'text' }] });

	it.each<[string, object]>([
		['because the service does not return the form', { status: 403, body: { Message: 'No.' } }],
		['because the form has other fields', formWith('Other')],
	])('%s', async (_, secondForm) => {
		let forms = 0;
		const list = createFakeList({
			isBad: (contact) => JSON.stringify(contact).includes('bad'),
			intercept: ({ url }, sentContacts) => {
				if (url.endsWith('/contactform')) return ++forms === 1 ? formWith('Code') : secondForm;
				return sentContacts && !/bad/.test(JSON.stringify(sentContacts))
					? { drop: true }
					: undefined;
			},
		});
		serveList(list);
		const people = [{ Code: 'bad' }, { Code: 'lost' }];
		const { error } = await addContacts(people, { contactsPerRequest: 1 }, retry, autoMap);
		expect(list.batchSizes).toEqual([1, 1]);
		expect(error!.message).toMatch(
			/^0 of 2 contacts were added, 1 was not, 1 may or may not have been: /,
		);
		expect((error as { description?: string }).description).toContain(
			"It's unclear whether row 2 was added: check the list before you run it again.",
		);
	});
});

it('no contact is added twice if the list shrinks at the same time and has no time of its last change', async () => {
	const list = serveList(
		createShrinkingList({ changeState: (state) => ({ ...state, LastUpdated: undefined }) }),
	);
	const { errorItems } = await addContacts(makePeople(10, [4]));
	expect(list.batchSizes).toEqual([10]);
	expect(errorItems).toHaveLength(10);
	expect(list.contacts).toHaveLength(9);
});
