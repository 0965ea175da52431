// Protects services from impossible IDs, and users from needless errors: a field accepts what the contract accepts as an ID.
import fc from 'fast-check';

import type { Schema } from '../../contracts/read';
import { BadInput } from '../../nodes/engine/errors';
import type { Field } from '../../nodes/engine/field';
import { readFields } from '../../nodes/engine/run/fields';
import { packServices } from '../support/pack';
import { scaleRunCount } from '../support/scaleRunCount';
import { findFieldSchema, listOperations, listSentFields, pairWithContract } from './walk';

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

/** Whether the contract accepts a text as an ID. In a URL a number is text, too. */
function isValidId(schema: Schema, text: string): boolean {
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

/** Generates IDs that the contract accepts. */
function validIds(schema: Schema): fc.Arbitrary<string> {
	if (schema.type === 'integer') return fc.bigInt({ min: 1n, max: 2n ** 62n }).map(String);
	// The last of 43 characters holds fewer bits than the others, which a pattern does not express.
	if (schema.maxLength === 43) {
		return fc
			.uint8Array({ minLength: 32, maxLength: 32 })
			.map((bytes) => Buffer.from(bytes).toString('base64url'));
	}
	const pattern = (schema.pattern as string | undefined) ?? '^[A-Za-z0-9_-]{1,64}$';
	return fc.stringMatching(new RegExp(pattern)).filter((text) => isValidId(schema, text));
}

/** Generates values of users and expressions, most of which are not IDs. */
const anyValue = fc.oneof(
	fc.string({ maxLength: 200 }),
	fc.constantFrom('abc', '+49 151 2345678', 'ada@example.com', '0', '-1', '1.5', 'a/b', '{{ id }}'),
	fc.integer().map(String),
);

const idFields = packServices.flatMap((packService) =>
	pairWithContract(packService).flatMap(({ label, operation, contractOperation }) =>
		listSentFields(operation)
			.map((sent) => ({ sent, schema: findFieldSchema(sent, contractOperation) ?? {} }))
			// A code in a path is not an ID: the node answers an impossible code without a request.
			.filter(({ sent: { field } }) => !field.secret && field.type !== 'hidden')
			.filter(
				({ sent: { place, name }, schema }) =>
					place === 'path' || schema.format === 'int64' || /(^id|Id|_id)$/.test(name),
			)
			.map(({ sent, schema }) => ({
				title: `${packService.name} ${label}: ${sent.field.displayName} (${sent.place} ${sent.name})`,
				field: sent.field,
				schema,
			})),
	),
);

describe('an ID', () => {
	it('is found in more than 60 fields', () => {
		expect(idFields.length).toBeGreaterThan(60);
	});

	it.each(idFields)('is sent only as the contract accepts it: $title', ({ field, schema }) => {
		fc.assert(
			fc.property(anyValue, (value) => {
				const sentValue = tryValue(field, value);
				if (sentValue instanceof BadInput) {
					expect(sentValue.message).toContain(`'${field.displayName}'`);
					expect(sentValue.advice).toBeTruthy();
				} else if (value.trim() !== '') {
					expect([sentValue, isValidId(schema, `${sentValue as string}`)]).toEqual([
						sentValue,
						true,
					]);
				}
			}),
			{ numRuns: scaleRunCount(30) },
		);
	});

	it.each(idFields)('is accepted wherever the contract accepts it: $title', ({ field, schema }) => {
		fc.assert(
			fc.property(validIds(schema), (value) => {
				expect(`${tryValue(field, ` ${value} `) as string}`).toBe(value);
			}),
			{ numRuns: scaleRunCount(15) },
		);
	});

	const idNames = new Set(idFields.map(({ field }) => field.name));
	const fieldsOfComposedOperations = packServices.flatMap((packService) =>
		listOperations(packService)
			.filter(({ operation }) => !operation.request)
			.flatMap(({ label, operation }) =>
				operation.fields
					.filter(({ name }) => idNames.has(name))
					.map((field) => ({ title: `${packService.name} ${label}: ${field.displayName}`, field })),
			),
	);

	it('is also found in operations with several requests', () => {
		expect(fieldsOfComposedOperations.length).toBeGreaterThan(4);
	});

	it.each(fieldsOfComposedOperations)(
		'is rejected before the first of several requests if it is invalid: $title',
		({ field }) => {
			const error = tryValue(field, 'no/ID '.repeat(100));
			expect(error).toBeInstanceOf(BadInput);
			expect((error as BadInput).message).toContain(`'${field.displayName}'`);
		},
	);
});
