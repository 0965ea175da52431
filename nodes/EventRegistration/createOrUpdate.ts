import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../engine/errors';
import { sortFields } from '../engine/fields';
import type { Batch, Call, Field, Operation, Output } from '../engine/operation';
import { recordsOf } from '../engine/pages';
import { textOf, toBody } from './form';
import type { Form } from './forms';
import { formBody } from './mapped';
import { written } from './records';

/** Where records of a kind are found, added and changed. */
export interface Kind {
	form: Form;
	/** What people call one of them, and several. */
	words: readonly [one: string, many: string];
	/** What its ID is called. */
	id: string;
	/** The path of all of them; searching and the single record lie below it. */
	path: string;
	/** What the list or event that they belong to is called, by its parameter in the path. */
	within: Record<string, string>;
	/** Whether one is added in a list of its own, and the answer is about what it belongs to. */
	addedInList?: boolean;
}

/** The address that decides whether there is a record already. */
export const emailToMatch: Field = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@email.com',
	description: 'The address to look for. If nobody has it yet, the person is added with it.',
	// Nothing in it would find the record that has no address, and change that.
	target: { in: 'body', as: 'Email', value: (given) => textOf(given).trim() || undefined },
};

/** Said in the description of every operation of this sort. */
export const twoCalls =
	'These are two calls to the service: a search by email, then an update or an addition.';

/**
 * Looks for a record by email, then changes it or adds one. Items with the same address wait for each other, so that the
 * second one finds what the first one added.
 */
export const createOrUpdate =
	(kind: Kind): Operation['together'] =>
	async (batch: Batch) => {
		const tails = new Map<string, Promise<unknown>>();
		return await batch.each(async (call) => {
			const { params, labels, body = {} } = sortFields(call);
			const email = folded(body.Email);
			const key = `${Object.values(params).join(' ')} ${email}`;
			const before = tails.get(key);
			const mine = (async () => {
				await before;
				return await save(call, kind, { params, labels, body, email });
			})();
			tails.set(
				key,
				mine.catch(() => undefined),
			);
			return await mine;
		});
	};

const folded = (email: unknown) => `${(email as string) ?? ''}`.trim().toLowerCase();

interface Wanted {
	params: Record<string, unknown>;
	labels: Record<string, string>;
	body: IDataObject;
	email: string;
}

async function save(call: Call, kind: Kind, wanted: Wanted): Promise<Output> {
	const { form, id, path } = kind;
	const { params, labels } = wanted;
	// Read first, so that a missing value is found before anything is sent.
	const mapped = await formBody(call, form, { demanding: true, given: wanted.body });
	const known = toBody(new Map(Object.entries(wanted.body)), form.known, false);
	const body: IDataObject = { ...mapped, ...known };
	const found = await search(call, kind, wanted);
	const places = Object.entries(kind.within).map(([param, name]) => [name, params[param]]);
	const about: IDataObject = { ...Object.fromEntries(places), ...body };
	if (found === undefined) {
		const json = kind.addedInList ? [body] : body;
		const effect = `the ${kind.words[0]} was added`;
		const answer = await call.send({ method: 'POST', path, params, labels, json, effect });
		const output = kind.addedInList ? { success: true, ...about } : written(answer, id, about);
		return { created: true, ...output };
	}
	const answer = await call.send({
		method: 'PATCH',
		path: `${path}/{id}`,
		params: { ...params, id: found },
		labels: { ...labels, id },
		json: body,
		effect: `the ${kind.words[0]} was changed`,
	});
	return { created: false, ...written(answer, id, { [id]: found as string, ...about }) };
}

/** The ID of the one record with this address; nothing if there is none. Several are left for a person to sort out. */
async function search(call: Call, kind: Kind, wanted: Wanted): Promise<unknown> {
	const { params, labels, email } = wanted;
	const { body } = await call.send({
		method: 'POST',
		path: `${kind.path}/search`,
		params,
		labels,
		query: { pageSize: 200 },
		json: { Email: wanted.body.Email },
		repeatable: true,
	});
	// A service may find addresses that merely contain this one.
	const same = recordsOf(body).filter((record) => folded(record.Email) === email);
	const ids = [...new Set(same.map((record) => record[kind.id] ?? record.Id))];
	if (ids.length > 1) {
		throw new BadInput(
			`${ids.length} ${kind.words[1]} have this email address`,
			`It is not clear which one to change, so nothing was. Use Update with one of these IDs: ${ids.slice(0, 10).join(', ')}.`,
		);
	}
	return ids[0];
}
