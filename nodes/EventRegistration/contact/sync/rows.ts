import { BadInput } from '../../../engine/errors';
import type { FieldValue } from '../../../engine/field';
import type { Batch, ItemCall, ItemResult } from '../../../engine/operation';
import { isBlank } from '../../../engine/values/texts';
import { buildBodyFromMapping, currentForm, readMapping } from '../../form/body';
import { fieldKind } from '../../form/fieldKind';
import { contactForm } from '../../form/formDefinitions';
import type { FormParameters } from '../../form/inputs';
import type { Body } from '../../form/mappedValues';
import { customFields, textOf } from '../../form/readForm';
import type { FormField } from '../../form/readForm';
import { normalizeEmail } from '../../write/findByEmail';
import type {
	expectedPlan,
	matchBy,
	maxChanges,
	maxRemovals,
	missingPolicy,
	mode,
	show,
} from './fields';
import { EMAIL, normalizeMatchKey } from './plan';
import type { InvalidRows, SyncField, SyncRow, SyncScope } from './types';

/** Parameters that must be the same for all items, since all items are one list. */
interface SharedValues {
	contactListId: string;
	matchBy: FieldValue<typeof matchBy>;
	mode: FieldValue<typeof mode>;
	missing: FieldValue<typeof missingPolicy>;
	show: FieldValue<typeof show>;
	expectedPlan: FieldValue<typeof expectedPlan>;
	maxRemovals: FieldValue<typeof maxRemovals>;
	maxChanges: FieldValue<typeof maxChanges>;
}

const SHARED_LABELS: Record<keyof SharedValues, string> = {
	contactListId: 'Contact List',
	matchBy: 'Match By',
	mode: 'Mode',
	missing: 'Missing From Input',
	show: 'Show',
	expectedPlan: 'Expected Plan',
	maxRemovals: 'Stop If More Removals Than',
	maxChanges: 'Stop If More Changes Than',
};

export type SyncValues = FormParameters<'contactListId'> &
	SharedValues & { email: string | undefined };

/** All input items of a Sync. */
export interface SyncInput {
	/** The call of the first item; its options apply to all requests. */
	call: ItemCall;
	values: SyncValues;
	scope: SyncScope;
	rows: SyncRow[];
	/** The result of each item: the error of an invalid row, otherwise no output yet. */
	results: ItemResult[];
	invalidCount: number;
	/** Whom the invalid rows are about, as far as it can be read. */
	invalidRows: InvalidRows;
}

/**
 * Reads all input items before anything is written. Returns the errors of invalid rows beside the valid rows; throws if the
 * items do not belong together, or if there is no row. An item without any mapped value is not a row.
 */
export async function readInput(batch: Batch<SyncValues>): Promise<SyncInput | ItemResult[]> {
	let first: { call: ItemCall; values: SyncValues } | undefined;
	let mismatchLabel: string | undefined;
	const checks = await batch.each(async (values, call) => {
		matchByOf(values);
		first ??= { call, values };
		mismatchLabel ??= differingLabel(first.values, values);
		return [];
	});
	if (!first || (!batch.continueOnFail && checks.some(isInvalid))) return checks;
	if (mismatchLabel !== undefined) throw differingValuesError(mismatchLabel);
	const formFields = await currentForm(contactForm, first.values, first.call);
	const matchBy = matchByOf(first.values);
	requireTextField(formFields, matchBy);
	const fields: SyncField[] = [];
	const positions = new Map<string, number>();
	const findOrAddField = (fieldName: string) => {
		const position =
			positions.get(fieldName) ?? fields.push(describeField(fieldName, formFields)) - 1;
		positions.set(fieldName, position);
		return position;
	};
	const rows: SyncRow[] = [];
	const invalidRows = { keys: new Set<string>(), emails: new Set<string>() };
	const readRows = await batch.each(
		async (values, call) => {
			const row = await readRow(values, call, findOrAddField, ({ key, email }) => {
				invalidRows.keys.add(key);
				invalidRows.emails.add(email);
			});
			if (row) rows.push(row);
			return [];
		},
		{ releasesValues: true },
	);
	const results = readRows.map((result) => (isInvalid(result) ? result : NO_OUTPUT));
	const invalidCount = results.filter(isInvalid).length;
	if (invalidCount > 0 && (!batch.continueOnFail || rows.length === 0)) return results;
	if (rows.length === 0) throw noRows();
	rows.sort((a, b) => a.index - b.index);
	const scope = { matchBy, fields };
	return { ...first, scope, rows, results, invalidCount, invalidRows };
}

/** Shared by all items: most items have no output of their own, or get it at the end. */
const NO_OUTPUT: ItemResult = { items: [] };

const isInvalid = (result: ItemResult | undefined) => result !== undefined && 'error' in result;

/** Returns the label of a parameter that must be the same for all items and is not. */
function differingLabel(first: SyncValues, other: SyncValues): string | undefined {
	const names = Object.keys(SHARED_LABELS) as Array<keyof SharedValues>;
	const mismatchName = names.find(
		(name) => JSON.stringify(first[name]) !== JSON.stringify(other[name]),
	);
	return mismatchName && SHARED_LABELS[mismatchName];
}

const differingValuesError = (label: string) =>
	new BadInput(
		`'${label}' must be the same for all items`,
		'Sync handles all items together as one list, so nothing was sent. Use one Sync for each list, for example in a loop.',
	);

/**
 * Returns the field to match by. Throws if the parameter is blank and contacts may be removed: matched by another field, all
 * contacts may count as missing.
 */
function matchByOf({ matchBy, missing: missingPolicy }: SyncValues): string {
	if (matchBy !== undefined || missingPolicy !== 'remove') return matchBy ?? EMAIL;
	throw new BadInput(
		"'Match By' is blank",
		"Contacts that match no item are removed, so Sync doesn't guess the field. If the value comes from an expression, check that the previous node returns it.",
	);
}

/**
 * Throws if the form says that the key is not a text field: in other types, two spellings of one value would be two keys.
 */
function requireTextField(form: FormField[], name: string): void {
	const field = form.find((candidate) => candidate.name === name);
	if (!field) {
		const captions = form.map(({ name: fieldName, caption: text }) =>
			text === fieldName ? text : `${text} (${fieldName})`,
		);
		throw new BadInput(
			`This list has no field '${name}'`,
			`Choose another field in 'Match By'. The list has ${captions.join(', ')}.`,
		);
	}
	const { caption, type } = field;
	if (fieldKind(type) === 'text') return;
	throw new BadInput(
		`'Match By' can't be '${caption}', which isn't a text field`,
		'Choose the email address, or a text field such as a member number.',
	);
}

function describeField(name: string, form: FormField[]): SyncField {
	const { caption = name, type, options } = form.find((field) => field.name === name) ?? {};
	return { name, caption, kind: fieldKind(type), ...(options && { options }) };
}

async function readRow(
	values: SyncValues,
	call: ItemCall,
	positionOf: (name: string) => number,
	onInvalid: (person: { key: string; email: string }) => void,
): Promise<SyncRow | undefined> {
	const matchBy = matchByOf(values);
	const mapping = await readMapping(contactForm, values, call, true);
	const mappedValues = new Map(mapping.mapped);
	if (values.email !== undefined) mappedValues.set(EMAIL, values.email);
	if ([...mappedValues.values()].every(isBlank)) return undefined;
	const person = { key: '', email: '' };
	let isValid = false;
	try {
		const key = normalizeMatchKey(matchBy, textOf(mappedValues.get(matchBy), matchBy));
		person.key = key;
		person.email = normalizeEmail(mappedValues.get(EMAIL));
		if (key === '') throw blankKey(matchBy);
		const body = buildBodyFromMapping(
			contactForm,
			{ ...mapping, mapped: mappedValues },
			values,
			call,
			true,
		);
		const texts: Array<string | undefined> = [];
		for (const [fieldName, text] of textsOf(body)) texts[positionOf(fieldName)] = text;
		isValid = true;
		// The copy has no spare capacity: V8 reserves 17 elements for an array that grows.
		return { index: call.itemIndex, key, values: texts.slice() };
	} finally {
		if (!isValid) onInvalid(person);
	}
}

/** Returns the texts of a body by the names of the form. */
function* textsOf({ CustomFields, ...properties }: Body): Iterable<[string, string]> {
	for (const [name, value] of Object.entries(properties)) yield [name, textOf(value)];
	for (const [name, value] of customFields(CustomFields) ?? []) yield [name, textOf(value)];
}

const blankKey = (matchBy: string) =>
	new BadInput(
		`'${matchBy}' is blank`,
		"It tells which contact this item is about, because it is chosen in 'Match By'. If the value comes from an expression, check that the previous node returns it.",
	);

const noRows = () =>
	new BadInput(
		'No input item has a value for the form, so nothing was written',
		'Map at least one form field. An empty list of people is no reason to remove everyone: check the node before this one.',
	);
