import type { IDataObject } from 'n8n-workflow';

import type { Paging } from '../../engine/http/pages';
import type { Request } from '../../engine/http/types';
import { recordShaperOf } from '../../engine/run/output';
import type { OutputShape } from '../../engine/run/output';
import type { ChangeSchema } from '../../engine/trigger/lists/core';
import { itemOfChange } from '../../engine/trigger/lists/listTriggerDefinition';
import type { FollowedList } from '../../engine/trigger/lists/listTriggerDefinition';
import { idNumberReader } from '../../engine/values/convert';
import { changeKinds } from './changeKinds';

/** Description of a followed list. */
interface ListDescription {
	key: string;
	/** Type of the records: the value of the output field `record`. */
	recordType: string;
	plural: string;
	paging: Paging;
	shape: OutputShape;
	changeSchema: ChangeSchema;
	request: Omit<Request, 'method' | 'idempotent'> & { method?: Request['method'] };
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
		recordType,
		plural,
		shape,
		request,
		bodyEventId,
		sinceParameter,
		ownerFields,
		ownerName,
		paging,
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
			method: 'GET',
			...request,
			...(bodyEventId !== undefined && { json: idNumberReader('Event')(bodyEventId) }),
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
