import type { IDataObject } from 'n8n-workflow';

import type { Request } from '../../engine/http/types';
import { recordShaperOf } from '../../engine/run/output';
import type { OutputShape } from '../../engine/run/output';
import type { ChangeSchema } from '../../engine/trigger/lists/core';
import { itemOfChange } from '../../engine/trigger/lists/listTriggerDefinition';
import type { FollowedList } from '../../engine/trigger/lists/listTriggerDefinition';
import { idNumberReader } from '../../engine/values/convert';
import type { ServiceList } from '../lists';
import { changeKinds } from './changeKinds';

/** Description of a followed list. */
interface ListDescription {
	key: string;
	list: ServiceList;
	/** Type of the records: the value of the output field `record`. By default the list's nouns. */
	recordType?: string;
	plural?: string;
	shape: OutputShape;
	changeSchema: ChangeSchema;
	params?: Request['params'];
	/** The ID of the event, if it is the whole body of the request. */
	bodyEventId?: string;
	/** The query parameter that filters by time of change or creation. */
	sinceParameter: string;
	/** Output fields about the owner that are added to each record. */
	ownerFields: IDataObject;
	/** Display name of the event, contact list or account, for messages. */
	ownerName: string;
	/** Reads and returns output fields that the record lacks. */
	lookUp?: Pick<FollowedList, 'prepare'> & {
		fieldsOf: (record: IDataObject) => IDataObject | undefined;
	};
	matches?: (record: IDataObject) => boolean;
	keepsAll?: true;
}

/** Creates a followed list of the service from its description. */
export const followedList = (
	{
		list: { nouns, path, paging },
		recordType = nouns[0],
		plural = nouns[1],
		shape,
		params,
		bodyEventId,
		sinceParameter,
		ownerFields,
		ownerName,
		lookUp,
		...own
	}: ListDescription,
	simplify: boolean,
): FollowedList => {
	const shapeRecord = recordShaperOf(shape, simplify);
	return {
		...own,
		name: `The ${plural} of ${ownerName}`,
		isFiltered: true,
		paging,
		identify: (record) => paging.identify?.(record),
		request: (from) => ({
			...(bodyEventId === undefined
				? { method: 'GET' }
				: { method: 'POST', json: idNumberReader('Event')(bodyEventId) }),
			path,
			params,
			query: from === undefined ? {} : { [sinceParameter]: from },
			idempotent: true,
		}),
		...(lookUp && { prepare: lookUp.prepare }),
		buildItem: ({ kind, record }) =>
			itemOfChange(
				{ change: changeKinds.changeOf(kind), record: recordType },
				{ ...ownerFields, ...shapeRecord({ ...record, ...lookUp?.fieldsOf(record) }) },
			),
	};
};
