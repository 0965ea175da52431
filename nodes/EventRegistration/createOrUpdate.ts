import { field } from '../engine/field';
import { fillPath } from '../engine/http/path';
import type { Call, Output } from '../engine/operation';
import { findByEmail, normalizeEmail } from './findByEmail';
import type { SearchableKind, EmailQuery } from './findByEmail';
import { formBody } from './form/body';
import { textOf, toBody } from './form/form';
import type { Body } from './form/form';
import type { Form } from './form/forms';
import type { FormValues } from './form/inputs';
import { sentOutput, writeOutput } from './records';

const LEADING_ZEROS = /\/0+(?=\d)/g;

/** Where records of a kind are found, added and changed. */
export interface Upsert<Owner extends string> extends SearchableKind {
	form: Form<Owner>;
	/** Whether one is added in a list of its own, and the answer is about what it belongs to. */
	isAddedAsArray?: boolean;
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
export function emailLockKey<Owner extends string>(
	kind: Upsert<Owner>,
	values: UpsertValues<Owner>,
	{ client }: Call,
): string {
	const { params, labels } = ownerParams(kind, values);
	const address = new URL(client.connection.baseUrl + fillPath(kind.path, params, labels));
	// The same number may be written with zeros before it, as in a column of texts.
	return `${address.href.replace(LEADING_ZEROS, '/')} ${normalizeEmail(values.email)}`;
}

/**
 * Looks for a record by email, then changes it or adds one. `besides` is what the record shall hold besides the address and
 * the form, by the service's names.
 */
export async function createOrUpdate<Owner extends string>(
	kind: Upsert<Owner>,
	values: UpsertValues<Owner>,
	call: Call,
	extraFields: Body = {},
): Promise<Output> {
	const { form, id, path, nouns } = kind;
	const { params, labels } = ownerParams(kind, values);
	const all: Array<[string, unknown]> = Object.entries({ Email: values.email, ...extraFields });
	const given = Object.fromEntries(all.filter(([, value]) => value !== undefined));
	// Read first, so that a missing value is found before anything is sent.
	const mapped = await formBody(form, values, call, { enforcesRequired: true, given });
	const own = toBody(new Map(Object.entries(given)), form.properties, false);
	const body: Body = { ...mapped, ...own };
	const email = normalizeEmail(values.email);
	const found = await findByEmail(call, kind, { params, labels, body: given, email });
	const sentFields: Body = { [form.owner.id]: params[form.owner.field], ...body };
	if (found === undefined) {
		const json = kind.isAddedAsArray ? [body] : body;
		const effect = `the ${nouns[0]} was added`;
		const answer = await call.send({ method: 'POST', path, params, labels, json, effect });
		return {
			created: true,
			...(kind.isAddedAsArray ? sentOutput(sentFields) : writeOutput(answer, id, sentFields)),
		};
	}
	const answer = await call.send({
		method: 'PATCH',
		path: `${path}/{id}`,
		params: { ...params, id: found },
		labels: { ...labels, id },
		json: body,
		effect: `the ${nouns[0]} was changed`,
	});
	return { created: false, ...writeOutput(answer, id, { [id]: found, ...sentFields }) };
}

function ownerParams<Owner extends string>(
	{ form }: Upsert<Owner>,
	values: UpsertValues<Owner>,
): Pick<EmailQuery, 'params' | 'labels'> {
	const { field: owner, label } = form.owner;
	const owners: Record<Owner, string> = values;
	return { params: { [owner]: owners[owner] }, labels: { [owner]: label } };
}
