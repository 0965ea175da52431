import type { IDataObject } from 'n8n-workflow';

import { sortFields } from '../engine/run/fields';
import type { Batch, Call, Field, Operation, Output } from '../engine/operation';
import { fillPath } from '../engine/http/path';
import { perProcess } from '../engine/perProcess';
import { Turns } from '../engine/run/turns';
import { findByEmail, folded } from './findByEmail';
import type { Sought, Wanted } from './findByEmail';
import { textOf, toBody } from './form/form';
import type { Form } from './form/forms';
import { formBody } from './form/body';
import { withNamedFields, written } from './records';

/** Where records of a kind are found, added and changed. */
export interface Kind extends Sought {
	form: Form;
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
	'These are two calls to the service: a search by email, then an update or an addition. Executions wait for each other, but not those on different workers (queue mode): two at the very same moment can both add the person.';

/**
 * Looks for a record by email, then changes it or adds one. Whoever does so with the same address in the same place waits
 * for the one before, in this execution and in others, so that the second one finds what the first one added.
 */
export const createOrUpdate =
	(kind: Kind): Operation['together'] =>
	async (batch: Batch) =>
		await batch.each(async (call) => {
			const { params, labels, body = {} } = sortFields(call);
			const email = folded(body.Email);
			const place = new URL(call.client.connection.baseUrl + fillPath(kind.path, params, labels));
			return await turns.take(
				`${place.href} ${email}`,
				async () => await save(call, kind, { params, labels, body, email }),
				call.context.getExecutionCancelSignal(),
			);
		});

/** One line for all executions of this process. */
const turns = perProcess('people 1', () => new Turns());

async function save(call: Call, kind: Kind, wanted: Wanted): Promise<Output> {
	const { form, id, path } = kind;
	const { params, labels } = wanted;
	// Read first, so that a missing value is found before anything is sent.
	const mapped = await formBody(call, form, { demanding: true, given: wanted.body });
	const known = toBody(new Map(Object.entries(wanted.body)), form.known, false);
	const body: IDataObject = { ...mapped, ...known };
	const found = await findByEmail(call, kind, wanted);
	const places = Object.entries(kind.within).map(([param, name]) => [name, params[param]]);
	const about: IDataObject = { ...Object.fromEntries(places), ...body };
	if (found === undefined) {
		const json = kind.addedInList ? [body] : body;
		const effect = `the ${kind.words[0]} was added`;
		const answer = await call.send({ method: 'POST', path, params, labels, json, effect });
		const output = kind.addedInList
			? withNamedFields({ success: true, ...about })
			: written(answer, id, about);
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
	return { created: false, ...written(answer, id, { [id]: found, ...about }) };
}
