import { tryToParseDateTime } from 'n8n-workflow';

import type { ContractOperation, Schema } from '../../contracts/read';
import { BadInput } from '../../nodes/engine/errors';
import type { Field } from '../../nodes/engine/field';
import { readFields } from '../../nodes/engine/run/fields';
import { requestBodySchema } from '../support/contracts';
import { packServices } from '../support/pack';
import { pairsOf, property, sentBy } from './walk';

/** Values that an expression can supply for a text without being one, and their text. */
const scalars: Array<[unknown, string]> = [
	[204, '204'],
	[0, '0'],
	[-0.5, '-0.5'],
	[true, 'true'],
	[false, 'false'],
	[9007199254740993n, '9007199254740993'],
	[tryToParseDateTime('2026-11-30T09:00:00+01:00'), '2026-11-30T09:00:00.000+01:00'],
	[new Date('2026-11-30T08:00:00Z'), '2026-11-30T08:00:00.000Z'],
];
const NO_TEXTS: unknown[] = [[], ['a', 'b'], {}, { a: 1 }, Number.NaN, Infinity, new Date('never')];

/** Types of fields that hold one text. */
const TEXT_TYPES = ['string', 'options', 'resourceLocator'];

/** Values of the other fields that readers look up. */
const beside: Record<string, unknown> = {
	phoneNumber: '+12025550143',
	country: 'US',
	callback: 'https://app.example.com/login',
	fingerprint: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

/** A value in the shape that n8n gives for a field; every text in it is the given one. */
function shapeValue(field: Field, input: unknown): unknown {
	if (field.type === 'json') return { Seats: input };
	if (field.type !== 'fixedCollection') return input;
	const groups = (field.options ?? []) as Array<{ name: string; values: Field[] }>;
	const cell = ({ type, options = [], default: initial }: Field) => {
		if (type === 'string') return input;
		const [first] = options as Array<{ value?: unknown }>;
		return type === 'options' ? (first?.value ?? input) : initial;
	};
	return Object.fromEntries(
		groups.map(({ name, values }) => {
			const row = Object.fromEntries(values.map((value) => [value.name, cell(value)]));
			return [name, field.typeOptions?.multipleValues ? [row] : row];
		}),
	);
}

/** Returns the part of the request that a field fills for a value. */
function fillField(field: Field, input: unknown) {
	const { parts: filledIn } = readFields(
		{ fields: [field] },
		{
			timezone: 'UTC',
			rawValue: ({ name }) => (name === field.name ? input : beside[name]),
			isSet: () => false,
			addSecret: () => undefined,
		},
	);
	return filledIn;
}

type FilledRequest = ReturnType<typeof fillField>;

/** Every place where the contract says string and nothing else, and whether a text is there. */
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
		findStrings(property(schema, name), entry, `${path}/${name}`),
	);
}

const textsOf = (
	{ query, body, wholeBody, claims }: FilledRequest,
	contract: ContractOperation,
) => [
	...contract.parameters
		.filter(({ in: place }) => place === 'query')
		.flatMap(({ name, schema }) => findStrings(schema, query[name], `query/${name}`)),
	...findStrings(requestBodySchema(contract), wholeBody ?? body, 'body'),
	...findStrings(requestBodySchema(contract)?.['x-jwt-claims'], claims, 'claims'),
];

const places = packServices.flatMap((part) =>
	pairsOf(part).flatMap(({ label, operation, match }) =>
		sentBy(operation)
			// Hidden fields have no input; a path segment is always a text.
			.filter(({ field, place }) => field.type !== 'hidden' && place !== 'path')
			.map((sent) => ({
				service: part.name,
				title: `${label}: ${sent.field.displayName} (${sent.place} ${sent.name})`,
				sent,
				match,
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
	it.each(places)(
		'is sent as a string for any value of $service $title',
		({ sent: { field }, match }) => {
			for (const [value] of scalars) {
				const outcome = tryFill(field, value);
				if (outcome instanceof BadInput) {
					// Only a field with its own reader may reject a value that has a text.
					expect(field.read).toBeDefined();
					expect(outcome.advice).toBeTruthy();
					continue;
				}
				expect(textsOf(outcome, match).filter(([, isText]) => !isText)).toEqual([]);
			}
		},
	);

	const plain = places.filter(
		({ sent: { field } }) => !field.read && TEXT_TYPES.includes(field.type),
	);

	it.each(plain)('is converted correctly in $service $title', ({ sent }) => {
		for (const [value, text] of scalars) {
			const { query, body, claims } = fillField(sent.field, value);
			const target = sent.place === 'query' ? query : sent.place === 'claim' ? claims : body!;
			expect(
				sent.name.split('.').reduce<unknown>((into, step) => (into as never)[step], target),
			).toBe(text);
		}
	});

	it.each(plain)('rejects a list or an object in $service $title', ({ sent: { field } }) => {
		for (const value of NO_TEXTS) {
			const outcome = tryFill(field, value) as BadInput;
			expect(outcome).toBeInstanceOf(BadInput);
			expect(outcome.message).toMatch(
				new RegExp(`^'${field.displayName.replace(/[()]/g, '\\$&')}' must be text`),
			);
			expect(outcome.advice).toContain(field.displayName);
		}
	});

	/** Where a text was found. */
	const placesWithStrings = places.filter(({ sent: { field }, match }) => {
		const outcome = tryFill(field, 204);
		return !(outcome instanceof BadInput) && textsOf(outcome, match).length > 0;
	});

	it.each(packServices)('is found in $name', ({ name }) => {
		expect(placesWithStrings.filter(({ service }) => service === name)).not.toEqual([]);
	});

	it('is found in bodies, queries and claims', () => {
		expect(placesWithStrings.map(({ title }) => title)).toEqual(
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
