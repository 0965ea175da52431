import { groupBy } from '../../../engine/values/groupBy';
import { normalizeEmail } from '../../write/findByEmail';
import { isSameValue } from './isSameValue';
import type {
	FieldChange,
	InvalidRows,
	ListedContact,
	PlannedRow,
	SyncPlan,
	SyncRow,
	SyncScope,
	UnmatchedContact,
} from './types';

/** The field that contacts are matched by unless the user chooses another. */
export const EMAIL = 'Email';

const MAX_NAMED = 10;

/**
 * Returns a key in the form in which keys are compared. Addresses are normalized as in Create or Update; other texts are
 * only trimmed.
 */
export const normalizeMatchKey = (matchBy: string, text: string): string =>
	matchBy === EMAIL ? normalizeEmail(text) : text.trim();

export interface PlanSettings {
	missingPolicy: 'leave' | 'report' | 'remove';
	/**
	 * The service's time when the list was read: for this plan or, with Expected Plan, for its preview. A contact added later is
	 * not removed.
	 */
	asOf: number;
	/** Why nothing may be removed, although the user chose Remove. */
	removalBlockedReason?: string;
	/** Whom the invalid rows are about. The rows are not part of the plan. */
	invalidRows?: InvalidRows;
}

/**
 * Plans the changes that make the list equal to the rows. The function is pure, and the plan of each contact does not depend
 * on the order of rows or contacts.
 */
export function makePlan(
	scope: SyncScope,
	rows: readonly SyncRow[],
	contacts: readonly ListedContact[],
	settings: PlanSettings,
): SyncPlan {
	const rowsByKey = groupBy(rows, ({ key }) => key);
	const contactsByKey = groupBy(contacts, ({ key }) => key);
	const planByKey = new Map<string, PlannedRow>();
	for (const [key, rowsOfKey] of rowsByKey) {
		planByKey.set(key, planKey(scope, rowsOfKey, contactsByKey.get(key) ?? []));
	}
	for (const [key, reason] of emailConflicts(scope, planByKey, contacts)) {
		planByKey.set(key, { ...withoutChange(planByKey.get(key)!), change: 'conflict', reason });
	}
	return {
		rows: rows.map((row) => {
			const plan = planByKey.get(row.key)!;
			if (plan.row === row) return plan;
			return plan.change === 'conflict'
				? { ...plan, row }
				: { ...withoutChange(plan), row, change: 'duplicate' };
		}),
		unmatched:
			settings.missingPolicy === 'leave'
				? []
				: planUnmatchedContacts(contacts, rowsByKey, emailsOf(scope, rows), settings),
	};
}

const withoutChange = ({ row, contact }: PlannedRow) => ({ row, ...(contact && { contact }) });

/** Plans the rows that share a key. The first row determines the plan, unless the rows differ. */
function planKey(scope: SyncScope, rows: SyncRow[], contacts: ListedContact[]): PlannedRow {
	const row = rows[0]!;
	const differing = scope.fields.filter((_, at) =>
		rows.some((other) => differsAt(scope, at, row, other)),
	);
	if (differing.length > 0) {
		const positions = joinForMessage(rows.map(({ index }) => index + 1));
		const captions = joinForMessage(differing.map(({ caption }) => caption));
		return {
			row,
			change: 'conflict',
			reason: `Rows ${positions} have the same ${captionOf(scope)}, ${row.key}, and differ in ${captions}`,
		};
	}
	if (contacts.length > 1) {
		const ids = joinForMessage(contacts.map(({ id }) => id));
		return { row, change: 'conflict', reason: `Several contacts have this key: ${ids}` };
	}
	const [contact] = contacts;
	if (!contact) return { row, change: 'created', changes: changesToCreate(scope, row) };
	const changes = changesOf(scope, row, contact);
	return changes.length > 0
		? { row, contact, change: 'updated', changes }
		: { row, contact: { id: contact.id }, change: 'unchanged' };
}

/**
 * Whether two rows with the same key send different values in a field. The key itself is not compared: an address may differ in
 * case.
 */
const differsAt = (
	{ fields, matchBy }: SyncScope,
	at: number,
	row: SyncRow,
	otherRow: SyncRow,
): boolean =>
	fields[at]!.name !== matchBy && trimmedAt(row.values, at) !== trimmedAt(otherRow.values, at);

const captionOf = ({ fields, matchBy }: SyncScope): string =>
	fields.find(({ name }) => name === matchBy)?.caption ?? matchBy;

const trimmedAt = (values: SyncRow['values'], at: number) => values[at]?.trim();

const changesToCreate = ({ fields }: SyncScope, { values }: SyncRow): FieldChange[] =>
	fields.flatMap(({ name }, at) => {
		const to = values[at] ?? '';
		return to.trim() === '' ? [] : [{ field: name, from: '', to }];
	});

/**
 * Returns the fields in which a row differs from its contact. The key never counts, because its normalized form is equal in
 * both.
 */
const changesOf = (
	{ fields, matchBy }: SyncScope,
	{ values }: SyncRow,
	contact: ListedContact,
): FieldChange[] =>
	fields.flatMap((field, at) => {
		const { name } = field;
		const [from = '', to] = [contact.values[at], values[at]];
		if (to === undefined || name === matchBy || isSameValue(field, to, from)) return [];
		return [{ field: name, from, to }];
	});

/**
 * Returns a function that replaces the texts of a contact with those of its row if the row does not change the contact. The
 * texts are equal in the form in which they are compared, so the plan stays the same. This saves memory: a list may have
 * 100,000 contacts, and the texts of the input are in memory anyway. The function returns any other contact unchanged.
 */
export function createTextDeduplicator(
	scope: SyncScope,
	rows: readonly SyncRow[],
): (contact: ListedContact) => ListedContact {
	const rowsByKey = new Map<string, SyncRow>();
	for (const row of rows) rowsByKey.set(row.key, row);
	return (contact) => {
		const row = rowsByKey.get(contact.key);
		if (!row || changesOf(scope, row, contact).length > 0) return contact;
		const { key, values } = row;
		const email = [key, ...values].find((text) => text === contact.email) ?? contact.email;
		// Only contacts without a row need the time at which they were added.
		return { ...contact, key, email, values, addedAt: undefined };
	};
}

/**
 * Returns the row keys whose plan would give a contact the address of another contact, with the reason. Two rows that would
 * write the same address conflict, too: after an interruption between the two writes, the second row would find the contact
 * of the first row.
 */
function emailConflicts(
	{ matchBy }: SyncScope,
	planByKey: ReadonlyMap<string, PlannedRow>,
	contacts: readonly ListedContact[],
): Map<string, string> {
	const reasons = new Map<string, string>();
	if (matchBy === EMAIL) return reasons;
	const contactsByEmail = groupBy(contacts, ({ email }) => email);
	const plansByNewEmail = groupBy([...planByKey], ([, plan]) => newEmailOf(plan));
	plansByNewEmail.delete('');
	for (const [email, plans] of plansByNewEmail) {
		// A plan writes an address only if its contact has a different one, so none of the holders is the plan's own
		// contact.
		const holders = contactsByEmail.get(email) ?? [];
		if (holders.length === 0 && plans.length === 1) continue;
		const reason =
			holders.length > 0
				? `Another contact has this email address: ${joinForMessage(holders.map(({ id }) => id))}`
				: `These items have the same email address: ${joinForMessage(plans.map(([, { row }]) => row.index))}`;
		for (const [key] of plans) reasons.set(key, reason);
	}
	return reasons;
}

/**
 * Returns the new address that a plan writes, in the form in which addresses are compared; blank if the plan writes none.
 */
function newEmailOf(plan: PlannedRow): string {
	if (plan.change !== 'created' && plan.change !== 'updated') return '';
	const email = normalizeEmail(plan.changes.find(({ field }) => field === EMAIL)?.to);
	return email === plan.contact?.email ? '' : email;
}

/** Returns the addresses of all rows, whatever is planned for them, in the form in which they are compared. */
function emailsOf({ fields }: SyncScope, rows: readonly SyncRow[]): Set<string> {
	const at = fields.findIndex(({ name }) => name === EMAIL);
	return new Set(rows.map(({ values }) => normalizeEmail(values[at])));
}

function planUnmatchedContacts(
	contacts: readonly ListedContact[],
	rowsByKey: ReadonlyMap<string, unknown>,
	rowEmails: ReadonlySet<string>,
	settings: PlanSettings,
): UnmatchedContact[] {
	const { invalidRows } = settings;
	return contacts
		.filter(({ key }) => key !== '' && !rowsByKey.has(key) && !invalidRows?.keys.has(key))
		.map((contact) => {
			const { email } = contact;
			const isInInput = rowEmails.has(email) || invalidRows?.emails.has(email) === true;
			return planUnmatched(contact, email !== '' && isInInput, settings);
		});
}

function planUnmatched(
	contact: ListedContact,
	hasEmailOfRow: boolean,
	{ missingPolicy, asOf, removalBlockedReason }: PlanSettings,
): UnmatchedContact {
	// The row may be about this contact under another key. The user has to decide before the contact is removed, by Sync or,
	// with Report, by a later node.
	if (hasEmailOfRow) {
		return { change: 'missing', contact, reason: 'An input item has its email address' };
	}
	if (missingPolicy !== 'remove') return { change: 'missing', contact };
	if (contact.addedAt !== undefined && contact.addedAt >= asOf) {
		return { change: 'missing', contact, reason: 'It was added after the list was read' };
	}
	return removalBlockedReason === undefined
		? { change: 'removed', contact }
		: { change: 'missing', contact, reason: removalBlockedReason };
}

/** Lists IDs or item numbers for a message; the order of rows and contacts does not matter. */
export function joinForMessage(all: ReadonlyArray<string | number>): string {
	const sorted = [...all].sort((a, b) => `${a}`.localeCompare(`${b}`, 'en', { numeric: true }));
	const moreText = sorted.length > MAX_NAMED ? ` and ${sorted.length - MAX_NAMED} more` : '';
	return sorted.slice(0, MAX_NAMED).join(', ') + moreText;
}
