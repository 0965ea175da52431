import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../samples';

/** Returns a person of a list by a short name. */
export const person = (name: string, overrides: IDataObject = {}): IDataObject => ({
	Email: `${name}@x.org`,
	LastName: name,
	...overrides,
});

export const makePeople = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => person(`p${index}`));

export const customFields = (values: Record<string, string>) => ({
	CustomFields: Object.entries(values).map(([Name, Value]) => ({ Name, Value })),
});

export const changesIn = (items: IDataObject[]) =>
	items.map(({ change, applied }) => [change, applied]);

export const lastNames = (all: IDataObject[]) => all.map(({ LastName }) => LastName).sort();

export const apply = { mode: 'apply' } as const;

export const onError = { onError: 'continueErrorOutput' } as const;

/** Parameters that apply all mapped fields to list 7 of a fake service, without retries. */
export const applyToFake = {
	contactListId: locateById(7),
	email: '={{ $json.Email }}',
	details: { mappingMode: 'autoMapInputData', value: null, schema: [] },
	mode: 'apply',
	options: { tries: 1 },
};
