import type { IDataObject } from 'n8n-workflow';

import { field } from '../../engine/field';
import { fillPath, toPathSegment } from '../../engine/http/path';
import type { ItemCall, Output } from '../../engine/operation';
import { buildFormBody } from '../form/body';
import type { FormDefinition } from '../form/formDefinitions';
import type { FormParameters } from '../form/inputs';
import type { Body } from '../form/mappedValues';
import { textOf } from '../form/readForm';
import type { ServiceList } from '../lists';
import { idIn } from '../paging';
import { sentOutput, writeOutput } from '../records';
import { findByEmail, normalizeEmail } from './findByEmail';
import type { EmailQuery } from './findByEmail';

const LEADING_ZEROS = /\/0+(?=\d)/g;

/** A kind of record that Create or Update finds by email. A record that is found is changed; otherwise one is added. */
export interface UpsertableKind<Owner extends string> extends ServiceList {
	form: FormDefinition<Owner>;
	/**
	 * Whether the service takes new records as an array. It then responds with their owner, so the output is made from the sent
	 * fields.
	 */
	isAddedAsArray?: boolean;
}

type UpsertValues<Owner extends string> = FormParameters<Owner> & { email: string };

export const RERUN_SAFETY =
	'Running it again with all items is safe: those that were saved are updated, and none is added twice.';

/** The email address that decides whether the record already exists. */
export const emailToMatch = field({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@email.com',
	description:
		'Address to find. If no one has it, the person is added. Executions wait for each other, but not those on different workers (queue mode): two at the same moment can both add the person.',
	// A blank address would match a record without an address, and that record would be changed.
	read: (raw) => textOf(raw).trim() || undefined,
});

/**
 * Returns the lock key of a person: the URL of the list and the email address. Items with the same key run one after the
 * other, in this execution and in others of the process, so that the second finds the record that the first added.
 */
export function emailLockKey<Owner extends string>(
	kind: UpsertableKind<Owner>,
	values: UpsertValues<Owner>,
	{ client }: ItemCall,
): string {
	const listKey = listLockKey(client, kind.path, ownerParams(kind, values));
	return `${listKey} ${normalizeEmail(values.email)}`;
}

/** Returns the lock key of a whole list: its URL. */
export function listLockKey(
	{ connection }: ItemCall['client'],
	path: string,
	params: EmailQuery['params'],
): string {
	const listUrl = new URL(connection.baseUrl + fillPath(path, params));
	// An ID that comes as text may have leading zeros; without them it is the same ID.
	return listUrl.href.replace(LEADING_ZEROS, '/');
}

/**
 * Finds a record by email and updates it, or adds one. `recordFields` are values of the record besides the address and the
 * form, by the service's names.
 */
export async function upsert<Owner extends string>(
	kind: UpsertableKind<Owner>,
	values: UpsertValues<Owner>,
	call: ItemCall,
	recordFields: Body = {},
): Promise<Output> {
	const { form, idField, idParameter, path, recordPath, nouns } = kind;
	const params = ownerParams(kind, values);
	const parameterEntries: Array<[string, unknown]> = Object.entries({
		Email: values.email,
		...recordFields,
	});
	const parameterFields = Object.fromEntries(
		parameterEntries.filter(([, value]) => value !== undefined),
	);
	// Built first, so that a missing required value fails the item before the search and the write.
	const body = await buildFormBody(form, values, call, {
		enforcesRequired: true,
		parameterFields,
	});
	const existingId = await findByEmail(call, kind, { params, email: values.email });
	const fallbackRecord: Body = { [form.owner.idField]: params[form.owner.parameter], ...body };
	if (existingId === undefined) {
		const json = kind.isAddedAsArray ? [body] : body;
		const effect = `the ${nouns[0]} was added`;
		const response = await call.send({
			method: 'POST',
			path,
			params,
			json,
			effect,
			...(kind.isAddedAsArray && {
				requiredContent: 'record',
				identify: (record: IDataObject) => idIn(record, form.owner.idField),
			}),
		});
		return {
			created: true,
			...(kind.isAddedAsArray
				? sentOutput(fallbackRecord)
				: writeOutput(response, idField, fallbackRecord)),
		};
	}
	// Uses the path template of Update, because requests with the same template share pauses.
	const response = await call.send({
		method: 'PATCH',
		path: recordPath,
		params: { ...params, [idParameter]: toPathSegment(idField, existingId) },
		json: body,
		effect: `the ${nouns[0]} was changed`,
	});
	return {
		created: false,
		...writeOutput(response, idField, { [idField]: existingId, ...fallbackRecord }),
	};
}

function ownerParams<Owner extends string>(
	{ form }: UpsertableKind<Owner>,
	values: UpsertValues<Owner>,
): EmailQuery['params'] {
	const { parameter, label } = form.owner;
	const parameters: Record<Owner, string> = values;
	return { [parameter]: toPathSegment(label, parameters[parameter]) };
}
