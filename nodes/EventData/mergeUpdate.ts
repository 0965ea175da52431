import type { IDataObject } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../engine/errors';
import { field } from '../engine/field';
import type { Field, FieldValue } from '../engine/field';
import { idOf, strictRecords } from '../engine/http/records';
import type { RecordKind } from '../engine/http/records';
import { normalizeMemberName } from '../engine/http/statements';
import type { Request } from '../engine/http/types';
import type { ItemCall, Output } from '../engine/operation';
import { pickFields, toRecord } from '../engine/run/output';
import { shorten } from '../engine/values/convert';
import { isRecord } from '../engine/values/isRecord';

/** The HTTP method of updates. The service does not document it, so the user can change it. */
export const updateMethod = field({
	displayName: 'Update Method',
	name: 'verb',
	type: 'options',
	options: [
		{
			name: 'Replace Record (PUT)',
			value: 'PUT',
			description:
				'Reads the record, applies the changes and writes it back; concurrent changes may be lost',
		},
		{
			name: 'Partial Update (PATCH)',
			value: 'PATCH',
			description: 'For providers that accept partial updates',
		},
	],
	default: 'PUT',
	description: 'Change only if your provider rejects the update',
	read: (raw) => (raw === 'PATCH' ? 'PATCH' : 'PUT'),
});

/** Values of every update operation: the record's ID and the HTTP method. */
type UpdateValues<Id extends string> = Record<Id, string> & {
	verb?: FieldValue<typeof updateMethod>;
};

/**
 * Returns the `run` and the `lockKey` of an update operation. PUT replaces the whole record, so the current one is read, merged
 * with the changes and written back. Only the fields that the service accepts are sent, under their exact names. Nothing is
 * written if the record lacks a required field or has a field under another name: PUT would reset it. PATCH sends the changes
 * alone. Without the lock, two items could read the record before either has written it, and one change would be lost.
 */
export const mergeUpdate = <Id extends string>(
	{ name }: Field<Id, string>,
	{ required, optional }: { required: readonly string[]; optional: readonly string[] },
	/** Throws if the changed record is not valid. */
	check?: (merged: IDataObject, call: ItemCall) => void,
) => ({
	lockKey: (values: UpdateValues<Id>, { client }: ItemCall): string =>
		`${client.connection.baseUrl} ${name} ${values[name]}`,
	run: async (values: UpdateValues<Id>, call: ItemCall): Promise<Output> => {
		const request = await call.buildRequest();
		const changedFields = isRecord(request.json) ? request.json : {};
		if (Object.keys(changedFields).length === 0) {
			throw new BadInput('No fields to update', "Add at least one field under 'Update Fields'.");
		}
		if (values.verb === 'PATCH') {
			const response = await call.send({ ...request, method: 'PATCH', idempotent: false });
			return toRecord(response, request.path);
		}
		const current = await readCurrent(call, request, name, values[name]);
		const mergedFields = {
			...pickFields(
				[...required, ...optional].filter((input) => current[input] !== null),
				current,
			),
			...changedFields,
		};
		const missing = required.filter((input) => !(input in mergedFields));
		const renamed = [...required, ...optional].filter(
			(input) =>
				!(input in current) && !(input in changedFields) && hasOtherSpelling(current, input),
		);
		const [lost] = [...missing, ...renamed];
		if (lost !== undefined) throw missingFieldFailure(call, name, lost);
		check?.(mergedFields, call);
		const response = await call.send({ ...request, json: mergedFields });
		return toRecord(response, request.path);
	},
});

const hasOtherSpelling = (record: IDataObject, input: string): boolean =>
	Object.keys(record).some((name) => normalizeMemberName(name) === normalizeMemberName(input));

const missingFieldFailure = ({ service }: ItemCall, idName: string, input: string) =>
	new ServiceFailure(
		`The ${service.name} returned the ${idName.replace(/Id$/, '')} to update without "${input}", so nothing was changed`,
		{
			advice:
				"Replacing the record would reset this field. Add it under 'Update Fields', or set 'Update Method' under Options to Partial Update (PATCH).",
		},
	);

/** Reads the current record. Throws unless the response is exactly this record: anything else must not overwrite it. */
async function readCurrent(
	call: ItemCall,
	{ path, params }: Request,
	idName: string,
	expectedId: string,
): Promise<IDataObject> {
	const { body } = await call.send({
		method: 'GET',
		path,
		params,
		idempotent: true,
		requiredContent: 'inspected',
	});
	const kind: RecordKind = {
		identify: (record) => record.id ?? record[idName],
		plural: path.split('/')[1],
	};
	const { records = [] } = strictRecords(body, kind) ?? {};
	const [record] = records;
	const noun = idName.replace(/Id$/, '');
	const subject = `The ${call.service.name}`;
	if (!record || records.length > 1) {
		throw new ServiceFailure(
			`${subject} did not return the ${noun} to update, so nothing was changed`,
			{
				advice:
					"It answered with something else. If this keeps happening, check the base URL in the credential, or set 'Update Method' under Options to Partial Update (PATCH).",
			},
		);
	}
	const returnedId = `${idOf(record, kind)}`.trim();
	if (returnedId === expectedId) return record;
	throw new ServiceFailure(
		`${subject} returned a different ${noun} than requested, so nothing was changed`,
		{ advice: `It answered with the ID "${shorten(returnedId)}". Check the ID in this node.` },
	);
}
