import type { IDataObject } from 'n8n-workflow';

import type { Call, Field, Target } from '../operation';
import { missing } from '../http/path';
import type { Request } from '../http/types';
import { idText, text } from '../values/texts';

type Sorted = Required<Pick<Request, 'params' | 'labels' | 'query'>> & {
	body?: IDataObject;
	wholeBody?: unknown;
	claims: IDataObject;
};

/** Stands for a field that the user does not see, because another field hides it. */
const HIDDEN = {};

/** Builds the request of an operation's row from the fields that the user filled in. */
export async function rowRequest(call: Call): Promise<Request> {
	const { operation, service } = call;
	const row = operation.request;
	if (!row) throw new Error(`${operation.name} has no request of its own`);
	const { params, labels, query, body, wholeBody, claims } = sortFields(call);
	const request: Request = {
		method: row.method,
		path: row.path,
		text: row.text,
		repeatable: operation.repeatable,
		effect: operation.effect,
		accept: operation.accept,
		params,
		labels,
		query,
	};
	if (row.body === 'jwt') {
		if (!service.sign) throw new Error(`The ${service.name} cannot sign`);
		return { ...request, token: await service.sign(claims, call) };
	}
	return { ...request, json: wholeBody ?? body ?? (row.body === 'json' ? {} : undefined) };
}

/** Reads every field of the operation and puts its value where the field's target says. */
export function sortFields(call: Call): Sorted {
	const sorted: Sorted = { params: {}, labels: {}, query: {}, claims: {} };
	for (const field of call.operation.fields) {
		if (goesNowhere(field)) continue;
		const given = call.field(field.name, HIDDEN);
		if (given !== HIDDEN) place(field, given, sorted, call);
	}
	for (const option of call.operation.options ?? []) {
		place(option, call.option(option.name), sorted, call);
	}
	return sorted;
}

/** A field that its operation reads by itself; evaluating a large one for every item would cost time for nothing. */
const goesNowhere = ({ target, type, required, secret }: Field) =>
	!target && !required && !secret && type !== 'collection';

function place(field: Field, value: unknown, sorted: Sorted, call: Call, added = false): void {
	const given = located(value);
	if (field.secret) call.keepSecret(given);
	if (field.type === 'collection' && !field.target) {
		const chosen = (given ?? {}) as IDataObject;
		for (const option of field.options ?? []) {
			if ('type' in option && option.name in chosen) {
				place(option as Field, chosen[option.name], sorted, call, true);
			}
		}
		return;
	}
	const bare = typeof given === 'string' ? given.trim() : given;
	const blank = bare === undefined || bare === null || bare === '';
	if (blank && field.required) throw missing(field.displayName);
	const { target } = field;
	if (!target) return;
	const name = target.as ?? field.name;
	const convert = () => {
		const sent = target.value
			? target.value(given, call, field.displayName)
			: plain(field, target, given);
		// What only looked filled in must not be left out in silence.
		if (sent === undefined && field.required) throw missing(field.displayName);
		return sent;
	};
	if (target.in === 'path') {
		sorted.params[name] = convert();
		sorted.labels[name] = field.displayName;
		return;
	}
	// A field left blank is left out; one that was added on purpose and left blank empties what the service holds.
	const left = given === undefined || given === null || (given === '' && !added);
	if (left && !target.evenBlank) return;
	const sent = convert();
	if (sent === undefined) return;
	if (target.spread) spread((sorted.body ??= {}), sent as IDataObject);
	else if (target.in === 'wholeBody') sorted.wholeBody = sent;
	else if (target.in === 'query') sorted.query[name] = sent;
	else if (target.in === 'claim') setDeep(sorted.claims, name, sent);
	else setDeep((sorted.body ??= {}), name, sent);
}

/** What goes out of a field without a converter. An expression gives anything, and services want texts for texts. */
function plain({ type, displayName }: Field, target: Target, given: unknown): unknown {
	// The path has rules of its own, and keeps them.
	if (target.in === 'path') return given;
	if (type === 'resourceLocator') return idText(given, displayName);
	return type === 'string' || type === 'options' ? text(given, displayName) : given;
}

/** The id in a resource locator: inside a collection n8n hands out the locator itself. */
function located(value: unknown): unknown {
	const isLocator =
		typeof value === 'object' && value !== null && '__rl' in value && 'value' in value;
	return isLocator ? value.value : value;
}

/** The names are the user's own: a dot in one means nothing, and none may reach an object's prototype. */
function spread(into: IDataObject, values: IDataObject): void {
	for (const [name, value] of Object.entries(values)) {
		const plain = { enumerable: true, configurable: true, writable: true };
		Object.defineProperty(into, name, { ...plain, value });
	}
}

function setDeep(into: IDataObject, name: string, value: unknown): void {
	const steps = name.split('.');
	const last = steps.pop()!;
	let at = into;
	for (const step of steps) at = (at[step] ??= {}) as IDataObject;
	at[last] = value as IDataObject;
}
