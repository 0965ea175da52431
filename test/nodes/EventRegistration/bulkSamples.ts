import type { IDataObject } from 'n8n-workflow';

import type { Fake, FakeList } from './fakeService';
import { locateById, mapperValue } from './samples';

const form = { FirstName: '={{ $json.first }}', Email: '={{ $json.email }}' };

/** The inputs of the contact form, as the editor stores them. */
export const contactDetails = (required: string[] = []) => ({
	...mapperValue(form),
	schema: ['FirstName', 'Email'].map((id) => ({
		id,
		displayName: id,
		required: required.includes(id),
		defaultMatch: false,
		display: true,
		type: 'string',
	})),
});

/** Creates this many people, those at the `bad` positions with an invalid address. */
export const makePeople = (count: number, bad: number[] = []): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		first: `Person ${index}`,
		email: bad.includes(index) ? `bad ${index}` : `p${index}@example.com`,
	}));

export const isBad = ({ Email }: IDataObject): boolean => `${Email as string}`.startsWith('bad');

/** The addresses of the contacts in a list. */
export const emailsIn = (list: FakeList): unknown[] => list.contacts.map(({ Email }) => Email);

/** Adds people to a fake list. */
export const adderTo = (fake: Fake) => ({
	serve(list: FakeList): FakeList {
		fake.respondWith((request) => list.reply(request));
		return list;
	},
	add: async (
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
