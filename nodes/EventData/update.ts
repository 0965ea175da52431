import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../engine/errors';
import { asOutput } from '../engine/execute';
import type { Call, Field, Output } from '../engine/operation';

/** The verb of updates is not published, so the user can change it. */
export const verb: Field = {
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
};

/**
 * Changes some fields of a record. Replacing needs the whole record, so it is read, merged and written back; only what
 * the service takes as input is sent.
 */
export const update =
	(inputs: readonly string[]) =>
	async (call: Call): Promise<Output> => {
		const request = await call.request();
		const changed = (request.json ?? {}) as IDataObject;
		if (Object.keys(changed).length === 0) {
			throw new BadInput('There is nothing to change', 'Add at least one change to this node.');
		}
		const { path, params, labels } = request;
		if (call.option('verb') === 'PATCH') {
			return asOutput(await call.send({ ...request, method: 'PATCH', repeatable: false }));
		}
		const { body } = await call.send({ method: 'GET', path, params, labels, repeatable: true });
		const current = (Array.isArray(body) ? body[0] : body) as IDataObject;
		const kept = inputs.filter((name) => current[name] !== undefined && current[name] !== null);
		const merged = { ...Object.fromEntries(kept.map((name) => [name, current[name]])), ...changed };
		return asOutput(await call.send({ ...request, json: merged }));
	};

/** Said in the description of every update. */
export const mayOverwrite =
	'The record is read, changed and written back: a change that somebody else makes in that moment may be lost.';
