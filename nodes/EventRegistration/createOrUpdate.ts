import { field } from '../engine/field';
import { fillPath } from '../engine/http/path';
import type { Call, Output } from '../engine/operation';
import { perProcess } from '../engine/perProcess';
import { Turns } from '../engine/run/turns';
import { findByEmail, folded } from './findByEmail';
import type { Sought, Wanted } from './findByEmail';
import { formBody } from './form/body';
import { textOf, toBody } from './form/form';
import type { Body } from './form/form';
import type { Form } from './form/forms';
import type { FormValues } from './form/inputs';
import { done, written } from './records';

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
	description: 'The address to look for. If nobody has it yet, the person is added with it.',
	// Nothing in it would find the record that has no address, and change that.
	read: (given) => textOf(given).trim() || undefined,
});

/** Said in the description of every operation of this sort. */
export const twoCalls =
	'These are two calls to the service: a search by email, then an update or an addition. Executions wait for each other, but not those on different workers (queue mode): two at the very same moment can both add the person.';

/** One line for all executions of this process. */
const turns = perProcess('people 1', () => new Turns());

/**
 * Looks for a record by email, then changes it or adds one. Whoever does so with the same address in the same place waits
 * for the one before, in this execution and in others, so that the second one finds what the first one added. `besides` is
 * what the record shall hold besides the address and the form, by the service's names.
 */
export async function createOrUpdate<Owner extends string>(
	kind: Upsert<Owner>,
	values: UpsertValues<Owner>,
	call: Call,
	besides: Body = {},
): Promise<Output> {
	const { field: owner, label } = kind.form.owner;
	const owners: Record<Owner, string> = values;
	const params = { [owner]: owners[owner] };
	const labels = { [owner]: label };
	const given: Array<[string, unknown]> = Object.entries({ Email: values.email, ...besides });
	const body = Object.fromEntries(given.filter(([, value]) => value !== undefined));
	const email = folded(values.email);
	const place = new URL(call.client.connection.baseUrl + fillPath(kind.path, params, labels));
	return await turns.take(
		`${place.href} ${email}`,
		async () => await save(kind, values, call, { params, labels, body, email }),
		call.context.getExecutionCancelSignal(),
	);
}

async function save<Owner extends string>(
	kind: Upsert<Owner>,
	values: UpsertValues<Owner>,
	call: Call,
	wanted: Wanted,
): Promise<Output> {
	const { form, id, path, words } = kind;
	const { params, labels } = wanted;
	// Read first, so that a missing value is found before anything is sent.
	const mapped = await formBody(form, values, call, { demanding: true, given: wanted.body });
	const known = toBody(new Map(Object.entries(wanted.body)), form.known, false);
	const body: Body = { ...mapped, ...known };
	const found = await findByEmail(call, kind, wanted);
	const about: Body = { [form.owner.id]: params[form.owner.field], ...body };
	if (found === undefined) {
		const json = kind.addedInList ? [body] : body;
		const effect = `the ${words[0]} was added`;
		const answer = await call.send({ method: 'POST', path, params, labels, json, effect });
		return { created: true, ...(kind.addedInList ? done(about) : written(answer, id, about)) };
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
