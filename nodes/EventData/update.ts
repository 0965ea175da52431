import type { IDataObject } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../engine/errors';
import { field } from '../engine/field';
import type { Field, FieldValue } from '../engine/field';
import { idOf, surelyRecords } from '../engine/http/records';
import type { Kind } from '../engine/http/records';
import type { Request } from '../engine/http/types';
import type { Call, Output } from '../engine/operation';
import { recordOrSent } from '../engine/run/output';
import { isRecord, shorten } from '../engine/values/convert';

/** The verb of updates is not published, so the user can change it. */
export const verb = field({
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
	read: (given) => (given === 'PATCH' ? 'PATCH' : 'PUT'),
});

/** What every update needs to know: which record, and how it is saved. */
type Change<Id extends string> = Record<Id, string> & { verb?: FieldValue<typeof verb> };

/**
 * Changes some fields of the record that the field picks. Replacing needs the whole record, so it is read, merged and
 * written back; only what the service takes as input is sent.
 */
export const runUpdate =
	<Id extends string>({ name }: Field<Id, string>, inputs: readonly string[]) =>
	async (values: Change<Id>, call: Call): Promise<Output> => {
		const request = await call.request();
		const changed = isRecord(request.json) ? request.json : {};
		if (Object.keys(changed).length === 0) {
			throw new BadInput('No fields to update', "Add at least one field under 'Update Fields'.");
		}
		if (values.verb === 'PATCH') {
			const answer = await call.send({ ...request, method: 'PATCH', repeatable: false });
			return recordOrSent(answer, { id: values[name], ...changed });
		}
		const current = await readCurrent(call, request, name, values[name]);
		const kept = inputs.filter((input) => current[input] !== undefined && current[input] !== null);
		const merged = {
			...Object.fromEntries(kept.map((input) => [input, current[input]])),
			...changed,
		};
		const answer = await call.send({ ...request, json: merged });
		return recordOrSent(answer, { id: values[name], ...merged });
	};

/** The record as it is now. What is not surely that record must not be written over it. */
async function readCurrent(
	call: Call,
	{ path, params, labels }: Request,
	idName: string,
	expectedId: string,
): Promise<IDataObject> {
	const { body } = await call.send({ method: 'GET', path, params, labels, repeatable: true });
	const kind: Kind = {
		identify: (record) => record.id ?? record[idName],
		plural: path.split('/')[1],
	};
	const { records = [] } = surelyRecords(body, kind) ?? {};
	const [record] = records;
	const word = idName.replace(/Id$/, '');
	const speaker = `The ${call.service.name}`;
	if (!record || records.length > 1) {
		throw new ServiceFailure(
			`${speaker} did not return the ${word} to update, so nothing was changed`,
			{
				advice:
					"It answered with something else. If this keeps happening, check the base URL in the credential, or set 'Update Method' under Options to Partial Update (PATCH).",
			},
		);
	}
	const given = `${idOf(record, kind)}`.trim();
	if (given === expectedId) return record;
	throw new ServiceFailure(
		`${speaker} returned a different ${word} than requested, so nothing was changed`,
		{ advice: `It answered with the ID "${shorten(given)}". Check the ID in this node.` },
	);
}
