import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../../support/locators';

/** Makes a person of a list from a short name. */
export const makePerson = (name: string, overrides: IDataObject = {}): IDataObject => ({
	Email: `${name}@x.org`,
	LastName: name,
	...overrides,
});

export const makePeople = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => makePerson(`p${index}`));

/** Makes custom fields as the service lists them. */
export const makeCustomFields = (values: Record<string, string>) => ({
	CustomFields: Object.entries(values).map(([Name, Value]) => ({ Name, Value })),
});

/** Returns the change of each item, and whether it was applied. */
export const readChanges = (items: IDataObject[]) =>
	items.map(({ change, applied }) => [change, applied]);

/** Returns the last names in alphabetical order. */
export const readLastNames = (people: IDataObject[]) =>
	people.map(({ LastName }) => LastName).sort();

/** Parameters with which Sync writes. Without them, it makes a preview. */
export const applyMode = { mode: 'apply' } as const;

/** Node settings with which failed items go to the error output. */
export const errorOutput = { onError: 'continueErrorOutput' } as const;

/** Parameters that apply all mapped fields to list 7 of a fake service, without retries. */
export const applyToFake = {
	contactListId: locateById(7),
	email: '={{ $json.Email }}',
	details: { mappingMode: 'autoMapInputData', value: null, schema: [] },
	mode: 'apply',
	options: { tries: 1 },
};
