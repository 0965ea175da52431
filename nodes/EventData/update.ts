import type { IDataObject } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../engine/errors';
import { field } from '../engine/field';
import type { Field, SentBy } from '../engine/field';
import { idOf, surelyRecords } from '../engine/http/records';
import type { Kind } from '../engine/http/records';
import type { Request } from '../engine/http/types';
import type { Call, Output } from '../engine/operation';
import { asOutput } from '../engine/run/output';
import { isRecord, shorten } from '../engine/values/convert';

/** The verb of updates is not published, so the user can change it. */
export const verb = field({
	displayName: 'Save By',
	name: 'verb',
	type: 'options',
	options: [
		{
			name: 'Replacing the Record',
			value: 'PUT',
			description: 'Read the record, put the changes in, and write all of it back',
		},
		{
			name: 'Sending the Changes Only',
			value: 'PATCH',
			description: 'For providers that accept partial updates',
		},
	],
	default: 'PUT',
	description: 'How changes are saved. Change it only if your provider refuses the update.',
	read: (given) => (given === 'PATCH' ? 'PATCH' : 'PUT'),
});

/** What every update needs to know: which record, and how it is saved. */
type Change<Id extends string> = Record<Id, string> & { verb?: SentBy<typeof verb> };

/**
 * Changes some fields of the record that the field picks. Replacing needs the whole record, so it is read, merged and
 * written back; only what the service takes as input is sent.
 */
export const update =
	<Id extends string>({ name }: Field<Id, string>, inputs: readonly string[]) =>
	async (values: Change<Id>, call: Call): Promise<Output> => {
		const request = await call.request();
		const changed = isRecord(request.json) ? request.json : {};
		if (Object.keys(changed).length === 0) {
			throw new BadInput('There is nothing to change', 'Add at least one change to this node.');
		}
		if (values.verb === 'PATCH') {
			return asOutput(await call.send({ ...request, method: 'PATCH', repeatable: false }));
		}
		const current = await read(call, request, name, values[name]);
		const kept = inputs.filter((input) => current[input] !== undefined && current[input] !== null);
		const merged = {
			...Object.fromEntries(kept.map((input) => [input, current[input]])),
			...changed,
		};
		return asOutput(await call.send({ ...request, json: merged }));
	};

/** The record as it is now. What is not surely that record must not be written over it. */
async function read(
	call: Call,
	{ path, params, labels }: Request,
	idName: string,
	asked: string,
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
			`${speaker} did not give the ${word} to change, so nothing was written`,
			{
				advice:
					'It answered with something else. If that stays so, check the base address in the credential, or change Save By in the options to send the changes only.',
			},
		);
	}
	const given = `${idOf(record, kind)}`.trim();
	if (given === asked) return record;
	throw new ServiceFailure(
		`${speaker} gave another ${word} than the one to change, so nothing was written`,
		{ advice: `It answered with the ID "${shorten(given)}". Check the ID in this node.` },
	);
}

/** Said in the description of every update. */
export const mayOverwrite =
	'The record is read, changed and written back: a change that somebody else makes in that moment may be lost.';
