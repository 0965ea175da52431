// Protects workflows that fill text fields by expressions: the service receives a string, or the value is rejected before.
import { tryToParseDateTime } from 'n8n-workflow';

import type { ContractOperation, Schema } from '../../contracts/read';
import { BadInput } from '../../nodes/engine/errors';
import type { Field } from '../../nodes/engine/field';
import { readFields } from '../../nodes/engine/run/fields';
import { requestBodySchema } from '../support/contracts';
import { packServices } from '../support/pack';
import { findPropertySchema, listSentFields, pairWithContract } from './walk';

/** Values other than strings that an expression can supply for a text field, and their text form. */
const valuesWithText: Array<[unknown, string]> = [
	[204, '204'],
	[0, '0'],
	[-0.5, '-0.5'],
	[true, 'true'],
	[false, 'false'],
	[9007199254740993n, '9007199254740993'],
	[tryToParseDateTime('2026-11-30T09:00:00+01:00'), '2026-11-30T09:00:00.000+01:00'],
	[new Date('2026-11-30T08:00:00Z'), '2026-11-30T08:00:00.000Z'],
];
const VALUES_WITHOUT_TEXT: unknown[] = [
	[],
	['a', 'b'],
	{},
	{ a: 1 },
	Number.NaN,
	Infinity,
	new Date('never'),
];

/** Types of fields that hold one text. */
const TEXT_TYPES = ['string', 'options', 'resourceLocator'];

/** Values of other fields, which some readers need. */
const otherFieldValues: Record<string, unknown> = {
	phoneNumber: '+12025550143',
	country: 'US',
	callback: 'https://app.example.com/login',
	fingerprint: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

/** Returns the input in the shape of a field's value in n8n: itself, or a structure that contains it as every text. */
function shapeValue(field: Field, input: unknown): unknown {
	if (field.type === 'json') return { Seats: input };
	if (field.type !== 'fixedCollection') return input;
	const groups = (field.options ?? []) as Array<{ name: string; values: Field[] }>;
	const fillCell = ({ type, options = [], default: initial }: Field) => {
		if (type === 'string') return input;
		const [first] = options as Array<{ value?: unknown }>;
		return type === 'options' ? (first?.value ?? input) : initial;
	};
	return Object.fromEntries(
		groups.map(({ name, values }) => {
			const row = Object.fromEntries(values.map((value) => [value.name, fillCell(value)]));
			return [name, field.typeOptions?.multipleValues ? [row] : row];
		}),
	);
}

/** Returns the part of the request that a field fills for a value. */
function fillField(field: Field, input: unknown) {
	const { parts } = readFields(
		{ fields: [field] },
		{
			timezone: 'UTC',
			rawValue: ({ name }) => (name === field.name ? input : otherFieldValues[name]),
			isSet: () => false,
			addSecret: () => undefined,
		},
	);
	return parts;
}

type FilledRequest = ReturnType<typeof fillField>;

/** Lists the paths of all values that must be strings by the contract, each with whether it is one. */
function findStrings(
	schema: Schema | undefined,
	value: unknown,
	path: string,
): Array<[string, boolean]> {
	if (!schema || value === undefined) return [];
	const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
	if (types.length === 1 && types[0] === 'string') return [[path, typeof value === 'string']];
	if (Array.isArray(value))
		return value.flatMap((entry, index) => findStrings(schema.items, entry, `${path}/${index}`));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, entry]) =>
		findStrings(findPropertySchema(schema, name), entry, `${path}/${name}`),
	);
}

/** Lists the strings of a request as `findStrings` does. */
const findRequestStrings = (
	{ query, body, wholeBody, claims }: FilledRequest,
	contract: ContractOperation,
) => [
	...contract.parameters
		.filter(({ in: place }) => place === 'query')
		.flatMap(({ name, schema }) => findStrings(schema, query[name], `query/${name}`)),
	...findStrings(requestBodySchema(contract), wholeBody ?? body, 'body'),
	...findStrings(requestBodySchema(contract)?.['x-jwt-claims'], claims, 'claims'),
];

const inputFields = packServices.flatMap((packService) =>
	pairWithContract(packService).flatMap(({ label, operation, contractOperation }) =>
		listSentFields(operation)
			// Hidden fields have no input; a path segment is always a text.
			.filter(({ field, place }) => field.type !== 'hidden' && place !== 'path')
			.map((sent) => ({
				service: packService.name,
				title: `${label}: ${sent.field.displayName} (${sent.place} ${sent.name})`,
				sent,
				contractOperation,
			})),
	),
);

/** Returns the part of the request for a value, or the error about it. */
function tryFill(field: Field, input: unknown): FilledRequest | BadInput {
	try {
		return fillField(field, shapeValue(field, input));
	} catch (error) {
		if (error instanceof BadInput) return error;
		throw error;
	}
}

describe('a string of the contract', () => {
	it.each(inputFields)(
		'is sent as a string for any value of $service $title',
		({ sent: { field }, contractOperation }) => {
			for (const [value] of valuesWithText) {
				const outcome = tryFill(field, value);
				if (outcome instanceof BadInput) {
					// Only a field with its own reader may reject a value that has a text.
					expect(field.read).toBeDefined();
					expect(outcome.advice).toBeTruthy();
					continue;
				}
				expect(
					findRequestStrings(outcome, contractOperation).filter(([, isText]) => !isText),
				).toEqual([]);
			}
		},
	);

	const plainTextFields = inputFields.filter(
		({ sent: { field } }) => !field.read && TEXT_TYPES.includes(field.type),
	);

	it.each(plainTextFields)(
		'contains the text of a number, boolean or date in $service $title',
		({ sent }) => {
			for (const [value, text] of valuesWithText) {
				const { query, body, claims } = fillField(sent.field, value);
				const target = sent.place === 'query' ? query : sent.place === 'claim' ? claims : body!;
				expect(
					sent.name.split('.').reduce<unknown>((into, step) => (into as never)[step], target),
				).toBe(text);
			}
		},
	);

	it.each(plainTextFields)(
		'is not sent for a list, an object, or an invalid number or date in $service $title',
		({ sent: { field } }) => {
			for (const value of VALUES_WITHOUT_TEXT) {
				const outcome = tryFill(field, value) as BadInput;
				expect(outcome).toBeInstanceOf(BadInput);
				expect(outcome.message).toMatch(
					new RegExp(`^'${field.displayName.replace(/[()]/g, '\\$&')}' must be text`),
				);
				expect(outcome.advice).toContain(field.displayName);
			}
		},
	);

	const fieldsWithStrings = inputFields.filter(({ sent: { field }, contractOperation }) => {
		const outcome = tryFill(field, 204);
		return (
			!(outcome instanceof BadInput) && findRequestStrings(outcome, contractOperation).length > 0
		);
	});

	it.each(packServices)('occurs in at least one field of $name', ({ name }) => {
		expect(fieldsWithStrings.filter(({ service }) => service === name)).not.toEqual([]);
	});

	it('is found in bodies, queries and claims', () => {
		expect(fieldsWithStrings.map(({ title }) => title)).toEqual(
			expect.arrayContaining([
				'attendee:update: First Name (body firstName)',
				'attendee:getMany: Event (query eventId)',
				'registration:create: Event (body eventId)',
				'registration:create: Attendee (body attendeeId)',
				'session:create: Location (body location)',
				'contactList:create: Name (body Name)',
				'registration:create: Registration Manager Email (body RegistrationManagerEmail)',
				'registration:replaceOptions: Registration Options (body RegistrationOptions)',
				'scopeJob:issue: Type (claim type)',
				'scopeJob:confirm: Code (body code)',
				'user:enroll: Email (body user.email)',
				'phoneVerification:start: Language (body locale)',
				'approvalRequest:create: Details (body details)',
				'approvalRequest:create: Hidden Details (JSON) (body hidden_details)',
			]),
		);
	});
});
