import type { ListedRecord, SyncInput } from '../history';

/** The plan that a Sync has to make. */
export interface ExpectedSync {
	/** For each row: the change, the contact that it is about, and the fields to write with their new values. */
	rows: ExpectedRow[];
	/** Contacts that no row is about and that are listed, by ID. */
	unmatched: Map<number, 'missing' | 'removed'>;
	/** How many contacts would be added or changed. */
	changeCount: number;
	removalCount: number;
	/** Whether more would be written than the limits allow. */
	isExceeded: boolean;
}

interface ExpectedRow {
	key: string;
	change: 'created' | 'updated' | 'unchanged' | 'duplicate' | 'conflict';
	contact?: number;
	written: Record<string, string>;
}

type Values = Record<string, string>;

const EMAIL = 'Email';

/** Returns an address as people compare them: without surrounding spaces and invisible characters, in any case. */
const sameAddress = (text = '') =>
	text
		.replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
		.trim()
		.toLowerCase();

export const keyOf = (matchBy: string, values: Values): string =>
	matchBy === EMAIL ? sameAddress(values[EMAIL]) : (values[matchBy] ?? '').trim();

/** Returns a text that is equal for all spellings of a value of a kind. */
function meaning(kind: string | undefined, text: string): string {
	const trimmed = text.trim();
	switch (kind) {
		case 'number':
			return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? `number ${Number(trimmed)}` : trimmed;
		case 'boolean':
			if (/^(yes|true|1)$/i.test(trimmed)) return 'yes';
			return /^(no|false|0)$/i.test(trimmed) ? 'no' : trimmed;
		case 'date':
			return trimmed.replace(/^(\d{4}-\d\d-\d\d)T00:00:00Z$/, '$1');
		case 'dateTime':
			return /^\d{4}-.*(Z|[+-]\d\d:\d\d)$/.test(trimmed) ? `${Date.parse(trimmed)}` : trimmed;
		case 'choices':
			return trimmed
				.split(/[,;]/)
				.map((choice) => choice.trim())
				.sort()
				.join(';');
		default:
			return trimmed;
	}
}

export const hasSameMeaning = (kind: string | undefined, one: string, other: string): boolean =>
	meaning(kind, one) === meaning(kind, other);

/** Computes what a Sync of this input has to plan for a list, from what its documentation promises. */
export function expectSync(
	input: SyncInput,
	contacts: readonly ListedRecord[],
	asOf = Infinity,
): ExpectedSync {
	const { matchBy, missing } = input;
	const rows = input.rows.map((values, index) => expectRow(input, index, values, contacts));
	for (const row of conflictingAddresses(input, rows, contacts))
		Object.assign(row, { change: 'conflict', written: {} });
	const keys = new Set([...input.rows, ...input.invalidRows].map((row) => keyOf(matchBy, row)));
	const addresses = new Set(
		[...input.rows, ...input.invalidRows].map((row) => sameAddress(row[EMAIL])),
	);
	addresses.delete('');
	const unmatched = new Map<number, 'missing' | 'removed'>();
	for (const { id, addedAt, values } of contacts) {
		const key = keyOf(matchBy, values);
		if (missing === 'leave' || key === '' || keys.has(key)) continue;
		const isKept =
			missing !== 'remove' ||
			input.invalidRows.length > 0 ||
			addedAt >= asOf ||
			(EMAIL in input.kinds && addresses.has(sameAddress(values[EMAIL])));
		unmatched.set(id, isKept ? 'missing' : 'removed');
	}
	const changeCount = rows.filter(({ change }) => ['created', 'updated'].includes(change)).length;
	const removalCount = [...unmatched.values()].filter((change) => change === 'removed').length;
	const { length: size } = contacts;
	const isExceeded =
		removalCount > limitOf(input.maxRemovals, size, Math.max(5, size / 10)) ||
		(!(size === 0 && input.maxChanges?.endsWith('%')) &&
			changeCount > limitOf(input.maxChanges, size, Infinity));
	return { rows, unmatched, changeCount, removalCount, isExceeded };
}

function limitOf(text: string | undefined, size: number, byDefault: number): number {
	if (text === undefined) return byDefault;
	const number = parseFloat(text);
	return text.endsWith('%') ? (number * size) / 100 : number;
}

function expectRow(
	input: SyncInput,
	index: number,
	values: Values,
	contacts: readonly ListedRecord[],
): ExpectedRow {
	const { matchBy, kinds } = input;
	const key = keyOf(matchBy, values);
	const names = Object.keys(kinds);
	const sameKey = input.rows.filter((row) => keyOf(matchBy, row) === key);
	const isSame = (row: Values) =>
		names.every((name) => name === matchBy || row[name]?.trim() === values[name]?.trim());
	const own = contacts.filter((contact) => keyOf(matchBy, contact.values) === key);
	if (!sameKey.every(isSame) || own.length > 1) return { key, change: 'conflict', written: {} };
	const isFirst = input.rows.findIndex((row) => keyOf(matchBy, row) === key) === index;
	const [contact] = own;
	const written = Object.fromEntries(
		names.flatMap((name) => {
			const to = values[name];
			if (to === undefined) return [];
			const isWritten = contact
				? name !== matchBy && !hasSameMeaning(kinds[name], to, contact.values[name] ?? '')
				: to.trim() !== '';
			return isWritten ? [[name, to]] : [];
		}),
	);
	const ofContact = contact ? { contact: contact.id } : {};
	if (!isFirst) return { key, change: 'duplicate', written: {}, ...ofContact };
	if (!contact) return { key, change: 'created', written };
	const isUpdated = Object.keys(written).length > 0;
	return { key, change: isUpdated ? 'updated' : 'unchanged', written, ...ofContact };
}

/** Returns the rows that would give an address to a contact that another contact has, or that another row writes, too. */
function conflictingAddresses(
	{ matchBy }: SyncInput,
	rows: ExpectedRow[],
	contacts: readonly ListedRecord[],
): ExpectedRow[] {
	if (matchBy === EMAIL) return [];
	const holders = (address: string) =>
		contacts.filter(({ values }) => sameAddress(values[EMAIL]) === address);
	const writersOf = (address: string) =>
		rows.filter(
			({ written, contact }) =>
				sameAddress(written[EMAIL]) === address &&
				!holders(address).some(({ id }) => id === contact),
		);
	const conflicting = rows.filter((row) => {
		const address = sameAddress(row.written[EMAIL]);
		if (address === '' || !writersOf(address).includes(row)) return false;
		return holders(address).length > 0 || writersOf(address).length > 1;
	});
	const keys = new Set(conflicting.map(({ key }) => key));
	return rows.filter(({ key }) => keys.has(key));
}
