import fc from 'fast-check';

import type { Schema } from '../../contracts/read';
import { BadInput } from '../../nodes/engine/errors';
import type { Field } from '../../nodes/engine/field';
import { readFields } from '../../nodes/engine/run/fields';
import { packServices } from '../support/pack';
import { scaleRunCount } from '../support/scaleRunCount';
import { pairsOf, rows, schemaFor, sentBy } from './walk';

/** Converts a value by a field: returns the value sent, or the error about it. */
function tryValue(field: Field, value: unknown): unknown {
	try {
		return readFields(
			{ fields: [field] },
			{
				timezone: 'UTC',
				rawValue: ({ name }) => (name === field.name ? value : undefined),
				isSet: () => false,
				addSecret: () => undefined,
			},
		).values[field.name];
	} catch (error) {
		if (error instanceof BadInput) return error;
		throw error;
	}
}

/** Whether the contract takes a text for an ID; in an address a number is a text. */
function conforms(schema: Schema, text: string): boolean {
	const {
		type,
		pattern = '',
		minimum = 1,
		minLength = 0,
		maxLength = Infinity,
	} = schema as Schema &
		Record<'minimum' | 'minLength' | 'maxLength', number> & { pattern?: string };
	if (type === 'integer') return /^\d{1,19}$/.test(text) && BigInt(text) >= BigInt(minimum);
	const { length } = [...text];
	return length >= minLength && length <= maxLength && new RegExp(pattern, 'u').test(text);
}

/** IDs that the contract takes. */
function good(schema: Schema): fc.Arbitrary<string> {
	if (schema.type === 'integer') return fc.bigInt({ min: 1n, max: 2n ** 62n }).map(String);
	// The last of 43 characters holds fewer bits than the others, which a pattern does not express.
	if (schema.maxLength === 43) {
		return fc
			.uint8Array({ minLength: 32, maxLength: 32 })
			.map((bytes) => Buffer.from(bytes).toString('base64url'));
	}
	const pattern = (schema.pattern as string | undefined) ?? '^[A-Za-z0-9_-]{1,64}$';
	return fc.stringMatching(new RegExp(pattern)).filter((text) => conforms(schema, text));
}

/** Other values that users and expressions supply. */
const anyValue = fc.oneof(
	fc.string({ maxLength: 200 }),
	fc.constantFrom('abc', '+49 151 2345678', 'ada@example.com', '0', '-1', '1.5', 'a/b', '{{ id }}'),
	fc.integer().map(String),
);

const places = packServices.flatMap((part) =>
	pairsOf(part).flatMap(({ label, operation, match }) =>
		sentBy(operation)
			.map((sent) => ({ sent, schema: schemaFor(sent, match) ?? {} }))
			// A code in a path is no ID: what can be none is answered without asking the service.
			.filter(({ sent: { field } }) => !field.secret && field.type !== 'hidden')
			.filter(
				({ sent: { place, name }, schema }) =>
					place === 'path' || schema.format === 'int64' || /(^id|Id|_id)$/.test(name),
			)
			.map(({ sent, schema }) => ({
				title: `${part.name} ${label}: ${sent.field.displayName} (${sent.place} ${sent.name})`,
				field: sent.field,
				schema,
			})),
	),
);

describe('an ID', () => {
	it('is found in many places', () => {
		expect(places.length).toBeGreaterThan(60);
	});

	it.each(places)('is sent only as the contract accepts it: $title', ({ field, schema }) => {
		fc.assert(
			fc.property(anyValue, (value) => {
				const sentValue = tryValue(field, value);
				if (sentValue instanceof BadInput) {
					expect(sentValue.message).toContain(`'${field.displayName}'`);
					expect(sentValue.advice).toBeTruthy();
				} else if (value.trim() !== '') {
					expect([sentValue, conforms(schema, `${sentValue as string}`)]).toEqual([
						sentValue,
						true,
					]);
				}
			}),
			{ numRuns: scaleRunCount(30) },
		);
	});

	it.each(places)('is accepted wherever the contract accepts it: $title', ({ field, schema }) => {
		fc.assert(
			fc.property(good(schema), (value) => {
				expect(`${tryValue(field, ` ${value} `) as string}`).toBe(value);
			}),
			{ numRuns: scaleRunCount(15) },
		);
	});

	const names = new Set(places.map(({ field }) => field.name));
	const fieldsOfComposedOperations = packServices.flatMap((part) =>
		rows(part)
			.filter(({ operation }) => !operation.request)
			.flatMap(({ label, operation }) =>
				operation.fields
					.filter(({ name }) => names.has(name))
					.map((field) => ({ title: `${part.name} ${label}: ${field.displayName}`, field })),
			),
	);

	it('is also found in operations with several requests', () => {
		expect(fieldsOfComposedOperations.length).toBeGreaterThan(4);
	});

	it.each(fieldsOfComposedOperations)(
		'is rejected before several requests are made with it: $title',
		({ field }) => {
			const message = tryValue(field, 'no/ID '.repeat(100));
			expect(message).toBeInstanceOf(BadInput);
			expect((message as BadInput).message).toContain(`'${field.displayName}'`);
		},
	);
});
