import fc from 'fast-check';

import { normalizeMatchKey } from '../../../../nodes/EventRegistration/contact/sync/plan';
import type {
	ListedContact,
	SyncField,
	SyncPlan,
	SyncRow,
	SyncScope,
} from '../../../../nodes/EventRegistration/contact/sync/types';
import type { FieldKind } from '../../../../nodes/EventRegistration/form/fieldKind';
import { normalizeEmail } from '../../../../nodes/EventRegistration/write/findByEmail';

/** One field of each kind besides the key. */
const kinds: FieldKind[] = ['text', 'number', 'boolean', 'date', 'dateTime', 'choices'];

const makeField = (name: string, kind: FieldKind = 'text'): SyncField => ({
	name,
	caption: name,
	kind,
});

export const makeScope = (matchBy: string, ...names: string[]): SyncScope => ({
	matchBy,
	fields: names.map((name) => makeField(name)),
});

/** Makes a scope that maps the key, the address and a field of each kind. */
export const makeScopeOfAllKinds = (matchBy: 'Email' | 'MemberNo'): SyncScope => ({
	matchBy,
	fields: [
		makeField('Email'),
		makeField('MemberNo'),
		...kinds.map((kind) => makeField(kind, kind)),
	],
});

const readValue = ({ fields }: SyncScope, values: SyncRow['values'], name: string) =>
	values[fields.findIndex((field) => field.name === name)] ?? '';

export const makeRow = (scope: SyncScope, index: number, values: SyncRow['values']): SyncRow => ({
	index,
	key: normalizeMatchKey(scope.matchBy, readValue(scope, values, scope.matchBy)),
	values,
});

export const makeContact = (
	scope: SyncScope,
	id: number,
	values: readonly string[],
	properties: Partial<ListedContact> = {},
): ListedContact => ({
	id,
	key: normalizeMatchKey(scope.matchBy, readValue(scope, values, scope.matchBy)),
	email: normalizeEmail(readValue(scope, values, 'Email')),
	values,
	propertyCount: 1,
	customCount: 0,
	...properties,
});

/** Applies a plan to the contacts, like a service that stores exactly what it is sent. */
export function applyPlan(
	scope: SyncScope,
	contacts: readonly ListedContact[],
	plan: SyncPlan,
): ListedContact[] {
	const removedIds = new Set(
		plan.unmatched.filter(({ change }) => change === 'removed').map(({ contact: { id } }) => id),
	);
	const contactsById = new Map(
		contacts.filter(({ id }) => !removedIds.has(id)).map((contact) => [contact.id, contact]),
	);
	let nextId = Math.max(0, ...contacts.map(({ id }) => Number(id))) + 1;
	for (const plannedRow of plan.rows) {
		if (plannedRow.change !== 'created' && plannedRow.change !== 'updated') continue;
		const oldValues = plannedRow.contact?.values ?? scope.fields.map(() => '');
		const newValues = new Map(plannedRow.changes.map(({ field: name, to }) => [name, to]));
		const values = scope.fields.map(({ name }, index) => newValues.get(name) ?? oldValues[index]!);
		const id = Number(plannedRow.contact?.id ?? nextId++);
		contactsById.set(id, makeContact(scope, id, values));
	}
	return [...contactsById.values()];
}

const textsOfKind: Record<FieldKind, fc.Arbitrary<string>> = {
	text: fc.string({ unit: 'grapheme', maxLength: 4 }),
	number: fc.constantFrom('1', '1.0', '01', '-2', '2.50', 'many'),
	boolean: fc.constantFrom('true', 'false', 'Yes', 'no', '1', '0', 'maybe'),
	date: fc.constantFrom('2026-01-05', '2026-01-05T00:00:00Z', '2026-02-01', '01/05/2026'),
	dateTime: fc.constantFrom('2026-01-05T09:00:00.000Z', '2026-01-05T10:00:00+01:00', 'soon'),
	choices: fc.constantFrom('Red', 'Red, Blue', 'Blue;Red', 'Blue', ','),
};

const addresses = ['a@x.org', 'A@x.org ', 'b@x.org', 'c@x.org', 'd@x.org'];
const memberNos = ['00123', '123', ' 7', '7', '8'];

/**
 * Draws the address and the number of a member. If rows match by number, the address follows from it:
 * changes of addresses are conflicts, and have tests of their own.
 */
const drawEmailAndNumber = (matchBy: 'Email' | 'MemberNo') =>
	matchBy === 'Email'
		? fc.tuple(fc.constantFrom(...addresses), fc.constantFrom('', ...memberNos))
		: fc
				.constantFrom(...memberNos)
				.map((number): [string, string] => [`${number.trim()}@x.org`, number]);

/** Draws rows with few keys, so that some occur twice, and with blank and missing values. */
export const drawRows = (scope: SyncScope): fc.Arbitrary<SyncRow[]> =>
	fc
		.array(
			fc.tuple(
				drawEmailAndNumber(scope.matchBy as 'Email'),
				fc.tuple(
					...kinds.map((kind) =>
						fc.option(fc.oneof(textsOfKind[kind], fc.constant('')), { nil: undefined }),
					),
				),
			),
			{ minLength: 1, maxLength: 8 },
		)
		.map((drawn) =>
			drawn.map(([person, values], index) => makeRow(scope, index, [...person, ...values])),
		);

/** Draws contacts of which some have a key of the rows, several the same key, and some none. */
export const drawContacts = (scope: SyncScope): fc.Arbitrary<ListedContact[]> =>
	fc
		.array(
			fc.tuple(
				fc.oneof(
					{ weight: 6, arbitrary: drawEmailAndNumber(scope.matchBy as 'Email') },
					fc.constant(['', ''] as [string, string]),
				),
				fc.tuple(...kinds.map((kind) => fc.oneof(textsOfKind[kind], fc.constant('')))),
				fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
			),
			{ maxLength: 8 },
		)
		.map((drawn) =>
			drawn.map(([person, values, addedAt], index) =>
				makeContact(
					scope,
					index + 1,
					[...person, ...values],
					addedAt === undefined ? {} : { addedAt },
				),
			),
		);
