import type { IDataObject } from 'n8n-workflow';

import type { Paging } from '../engine/http/pages';
import { isId } from '../engine/http/records';
import { firstText } from '../engine/values/convert';

/** Returns the ID of a record: the first of the named fields that has one, else `Id`, which some providers use. */
export const idIn = (record: IDataObject, ...names: string[]) =>
	[...names, 'Id'].map((name) => record[name]).find(isId);

/** Paging of a list of the service. `others` are further names that providers use for the ID of its records. */
export const pagingByRecordId = (idField: string, ...others: string[]): Paging => ({
	pageParameter: 'page',
	size: { name: 'pageSize', max: 200 },
	identify: (record) => idIn(record, idField, ...others),
	// The member that may wrap the list: RegistrationTypes for RegistrationTypeId.
	plural: idField.replace(/Id$/, 's'),
});

/**
 * Returns the name of a record: from `<kind>Name`, `Name`, `<kind>Title`, `Title`, or one of `others`, which some providers
 * use. Empty if none has a value.
 */
export const nameOf = (record: IDataObject, kind: string, ...others: string[]): string =>
	firstText(record, [`${kind}Name`, 'Name', `${kind}Title`, 'Title', ...others]) ?? '';
