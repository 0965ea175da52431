import type { IDataObject } from 'n8n-workflow';

import type { Paging } from '../engine/http/pages';
import { isId } from '../engine/http/records';
import { firstText } from '../engine/values/convert';

/** The ID of a record: its own, or as some providers call it otherwise. */
export const idIn = (record: IDataObject, ...names: string[]) =>
	[...names, 'Id'].map((name) => record[name]).find(isId);

/** The service's pages, told apart by the record's own ID, which some providers call otherwise. */
export const pagesBy = (id: string, ...others: string[]): Paging => ({
	page: 'page',
	size: { name: 'pageSize', most: 200 },
	identify: (record) => idIn(record, id, ...others),
	plural: id.replace(/Id$/, 's'),
});

/** Registration types; some providers name them as if they were option groups. */
export const registrationTypePages = pagesBy('RegistrationTypeId', 'RegistrationOptionGroupId');

/** What a record is called: by its own kind of name, by a plain one, or as some providers call it otherwise. */
export const nameOf = (record: IDataObject, kind: string, ...others: string[]): string =>
	firstText(record, [`${kind}Name`, 'Name', `${kind}Title`, 'Title', ...others]) ?? '';
