import { field } from '../engine/field';
import { fillPath } from '../engine/http/path';
import type { Call, Output } from '../engine/operation';
import { findByEmail, folded } from './findByEmail';
import type { Sought, Wanted } from './findByEmail';
import { formBody } from './form/body';
import { textOf, toBody } from './form/form';
import type { Body } from './form/form';
import type { Form } from './form/forms';
import type { FormValues } from './form/inputs';
import { sent, written } from './records';

const LEADING_ZEROS = /\/0+(?=\d)/g;

/** Where records of a kind are found, added and changed. */
export interface Upsert<Owner extends string> extends Sought {
	form: Form<Owner>;
	/** Whether one is added in a list of its own, and the answer is about what it belongs to. */
	addedInList?: boolean;
}

/** What the node asks for whatever the kind of record. */
type UpsertValues<Owner extends string> = FormValues<Owner> & { email: string };

/** The address that decides whether there is a record already. */
export const emailToMatch = field({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@email.com',
	description:
		'Address to find. If no one has it, the person is added. Executions wait for each other, but not those on different workers (queue mode): two at the same moment can both add the person.',
	// Nothing in it would find the record that has no address, and change that.
	read: (given) => textOf(given).trim() || undefined,
});

/**
 * Who is looked for where. Whoever does so with the same address in the same place waits for the one before, in this execution
 * and in others, so that the second one finds what the first one added.
 */
export function personIn<Owner extends string>(
	kind: Upsert<Owner>,
	values: UpsertValues<Owner>,
	{ client }: Call,
): string {
	const { params, labels } = placeOf(kind, values);
	const place = new URL(client.connection.baseUrl + fillPath(kind.path, params, labels));
	// The same number may be written with zeros before it, as in a column of texts.
	return `${place.href.replace(LEADING_ZEROS, '/')} ${folded(values.email)}`;
}

/**
 * Looks for a record by email, then changes it or adds one. `besides` is what the record shall hold besides the address and
 * the form, by the service's names.
 */
export async function createOrUpdate<Owner extends string>(
	kind: Upsert<Owner>,
	values: UpsertValues<Owner>,
	call: Call,
	besides: Body = {},
): Promise<Output> {
	const { form, id, path, words } = kind;
	const { params, labels } = placeOf(kind, values);
	const all: Array<[string, unknown]> = Object.entries({ Email: values.email, ...besides });
	const given = Object.fromEntries(all.filter(([, value]) => value !== undefined));
	// Read first, so that a missing value is found before anything is sent.
	const mapped = await formBody(form, values, call, { demanding: true, given });
	const known = toBody(new Map(Object.entries(given)), form.known, false);
	const body: Body = { ...mapped, ...known };
	const email = folded(values.email);
	const found = await findByEmail(call, kind, { params, labels, body: given, email });
	const about: Body = { [form.owner.id]: params[form.owner.field], ...body };
	if (found === undefined) {
		const json = kind.addedInList ? [body] : body;
		const effect = `the ${words[0]} was added`;
		const answer = await call.send({ method: 'POST', path, params, labels, json, effect });
		return { created: true, ...(kind.addedInList ? sent(about) : written(answer, id, about)) };
	}
	const answer = await call.send({
		method: 'PATCH',
		path: `${path}/{id}`,
		params: { ...params, id: found },
		labels: { ...labels, id },
		json: body,
		effect: `the ${words[0]} was changed`,
	});
	return { created: false, ...written(answer, id, { [id]: found, ...about }) };
}

function placeOf<Owner extends string>(
	{ form }: Upsert<Owner>,
	values: UpsertValues<Owner>,
): Pick<Wanted, 'params' | 'labels'> {
	const { field: owner, label } = form.owner;
	const owners: Record<Owner, string> = values;
	return { params: { [owner]: owners[owner] }, labels: { [owner]: label } };
}
