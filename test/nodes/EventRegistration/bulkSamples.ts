import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { mapperValue } from './demoIds';
import { createFakeList } from './fakeService';
import type { FakeService, FakeList } from './fakeService';

const formValues = { FirstName: '={{ $json.first }}', Email: '={{ $json.email }}' };

/** Returns the inputs of the contact form, as the editor stores them. */
export const contactDetails = (requiredFields: string[] = []) => ({
	...mapperValue(formValues),
	schema: ['FirstName', 'Email'].map((id) => ({
		id,
		displayName: id,
		required: requiredFields.includes(id),
		defaultMatch: false,
		display: true,
		type: 'string',
	})),
});

/** Creates `count` people. Those at `badIndexes` have an invalid address. */
export const makePeople = (count: number, badIndexes: number[] = []): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		first: `Person ${index}`,
		email: badIndexes.includes(index) ? `bad ${index}` : `p${index}@example.com`,
	}));

/** Whether a contact has an invalid address of `makePeople`. */
export const isBad = ({ Email }: IDataObject): boolean => `${Email as string}`.startsWith('bad');

/** Returns the addresses of the contacts in a list. */
export const readEmails = (list: FakeList): unknown[] => list.contacts.map(({ Email }) => Email);

/**
 * Creates a list that stores the valid contacts of a rejected batch. Another user removes 15 other contacts after the first
 * batch.
 */
export function createShrinkingList(options: Parameters<typeof createFakeList>[0] = {}): FakeList {
	let listReads = 0;
	const list = createFakeList({
		isBad,
		storesValid: true,
		intercept: ({ method, url }) => {
			const isListRead = method === 'GET' && !url.includes('/contacts');
			if (isListRead && ++listReads === 2) list.contacts.splice(0, 15);
			return undefined;
		},
		...options,
	});
	for (let index = 0; index < 15; index++) list.contacts.push({ ContactId: 900 + index });
	return list;
}

/** Returns `serveList`, which lets the fake service respond as a list, and `addContacts`, which runs _Add_. */
export const createContactAdder = (fake: FakeService) => ({
	serveList(list: FakeList): FakeList {
		fake.respondWith((request) => list.reply(request));
		return list;
	},
	/** Failed items go to the error output, unless `node` has other settings. */
	addContacts: async (
		input: IDataObject[],
		options: object = {},
		node: object = { onError: 'continueErrorOutput' },
		parameters: object = {},
	) =>
		await fake.run(
			{
				resource: 'contact',
				operation: 'add',
				contactListId: locateById(7),
				details: contactDetails(),
				options,
				...parameters,
			},
			input,
			node,
		),
});
