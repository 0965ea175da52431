// Protects the plan of Sync: each row and contact gets the right change, and every action changes the digest.
import type { IDataObject } from 'n8n-workflow';

import {
	digestOf,
	planText,
	readPlanText,
} from '../../../../nodes/EventRegistration/contact/sync/digest';
import { toListedContact } from '../../../../nodes/EventRegistration/contact/sync/list';
import {
	makePlan,
	createTextDeduplicator,
} from '../../../../nodes/EventRegistration/contact/sync/plan';
import type { PlanSettings } from '../../../../nodes/EventRegistration/contact/sync/plan';
import type {
	ListedContact,
	SyncRow,
	SyncScope,
} from '../../../../nodes/EventRegistration/contact/sync/types';
import { makeContact, makeRow, makeScope } from './planSamples';

const byEmail = makeScope('Email', 'Email', 'LastName');
const byNumber = makeScope('MemberNo', 'Email', 'MemberNo', 'LastName');
const asOf = Date.parse('2026-05-01T12:00:00Z');
const leaveMissing: PlanSettings = { missingPolicy: 'leave', asOf };
const removeMissing: PlanSettings = { missingPolicy: 'remove', asOf };

const makeRows = (scope: SyncScope, ...valuesOfRows: Array<SyncRow['values']>) =>
	valuesOfRows.map((values, index) => makeRow(scope, index, values));
const plan = (
	scope: SyncScope,
	rows: SyncRow[],
	contacts: ListedContact[],
	settings: PlanSettings = leaveMissing,
) => makePlan(scope, rows, contacts, settings);
const getChanges = (...planArguments: Parameters<typeof plan>) =>
	plan(...planArguments).rows.map(({ change }) => change);

describe('rows that match by email', () => {
	const ada = makeContact(byEmail, 1, ['ada@x.org', 'Lovelace']);

	it('rows are planned as created, updated, unchanged or duplicate, whatever the case of the address', () => {
		const rows = makeRows(byEmail, [' ADA@x.org', 'King'], ['Ada@X.org', 'King'], ['b@x.org', 'B']);
		expect(plan(byEmail, rows, [ada]).rows).toEqual([
			{
				row: rows[0],
				contact: ada,
				change: 'updated',
				changes: [{ field: 'LastName', from: 'Lovelace', to: 'King' }],
			},
			{ row: rows[1], contact: ada, change: 'duplicate' },
			{
				row: rows[2],
				change: 'created',
				changes: [
					{ field: 'Email', from: '', to: 'b@x.org' },
					{ field: 'LastName', from: '', to: 'B' },
				],
			},
		]);
		expect(getChanges(byEmail, makeRows(byEmail, ['ADA@x.org', ' Lovelace ']), [ada])).toEqual([
			'unchanged',
		]);
	});

	it('a row does not change a field without a value, and clears one whose value is empty', () => {
		expect(getChanges(byEmail, makeRows(byEmail, ['ada@x.org', undefined]), [ada])).toEqual([
			'unchanged',
		]);
		expect(plan(byEmail, makeRows(byEmail, ['ada@x.org', '']), [ada]).rows[0]).toMatchObject({
			change: 'updated',
			changes: [{ field: 'LastName', from: 'Lovelace', to: '' }],
		});
	});

	it('all rows with the same key but different values conflict', () => {
		const rows = makeRows(byEmail, ['ada@x.org', 'King'], ['b@x.org', 'B'], ['ada@x.org', 'Queen']);
		const planned = plan(byEmail, rows, [ada]).rows;
		expect(planned.map(({ change }) => change)).toEqual(['conflict', 'created', 'conflict']);
		expect(planned[2]).toMatchObject({
			row: rows[2],
			reason: expect.stringMatching(/^Rows 1, 3 have the same /),
		});
	});

	it('the reason of a conflict names ten contacts, and the number of the others', () => {
		const getReason = (count: number) => {
			const twins = Array.from({ length: count }, (_, index) =>
				makeContact(byEmail, index, ['ada@x.org', '']),
			);
			return plan(byEmail, makeRows(byEmail, ['ada@x.org', '']), twins).rows[0];
		};
		expect(getReason(10)).toMatchObject({ reason: expect.stringMatching(/7, 8, 9$/) });
		expect(getReason(11)).toMatchObject({ reason: expect.stringMatching(/8, 9 and 1 more$/) });
	});

	it('a row conflicts if several contacts have the address', () => {
		const twin = makeContact(byEmail, 12, ['ADA@x.org', 'Lovelace']);
		const [planned] = plan(byEmail, makeRows(byEmail, ['ada@x.org', 'Lovelace']), [twin, ada]).rows;
		expect(planned).toMatchObject({
			change: 'conflict',
			reason: expect.stringMatching(/: 1, 12$/),
		});
	});
});

describe('stored texts of a contact', () => {
	const rows = makeRows(byNumber, ['a@x.org', '1', undefined], ['b@x.org', '2', 'B']);
	const deduplicateTexts = createTextDeduplicator(byNumber, rows);

	it('the texts of the row are kept if the row changes nothing', () => {
		const contacts = [
			makeContact(byNumber, 1, ['a@x.org ', ' 1', 'A'], { addedAt: asOf, updatedAt: asOf }),
			makeContact(byNumber, 2, [' b@x.org', '2', 'B ']),
		];
		const [first, second] = contacts.map(deduplicateTexts);
		expect(first).toEqual({ ...contacts[0], values: rows[0]!.values, addedAt: undefined });
		expect(first!.values).toBe(rows[0]!.values);
		expect(second!.values).toBe(rows[1]!.values);
	});

	it("the contact's own texts are kept if the row changes it, or no row matches it", () => {
		const others = [
			makeContact(byNumber, 2, ['b@x.org', '2', 'b']),
			makeContact(byNumber, 3, ['b@x.org', '3', 'B']),
			makeContact(byNumber, 4, ['a@x.org', '', 'A']),
		];
		for (const other of others) expect(deduplicateTexts(other)).toBe(other);
	});
});

describe('rows that match by a member number', () => {
	it('member numbers match the exact text after trimming', () => {
		const contacts = [
			makeContact(byNumber, 1, ['a@x.org', '00123', 'A']),
			makeContact(byNumber, 2, ['c@x.org', 'x7', 'C']),
		];
		const rows = makeRows(
			byNumber,
			['a@x.org', ' 00123 ', 'A'],
			['b@x.org', '123', 'B'],
			['d@x.org', 'X7', 'D'],
		);
		expect(getChanges(byNumber, rows, contacts)).toEqual(['unchanged', 'created', 'created']);
	});

	it('a row conflicts if another contact has the address', () => {
		const contacts = [
			makeContact(byNumber, 1, ['a@x.org', '1', 'A']),
			makeContact(byNumber, 2, ['b@x.org', '', 'B']),
		];
		const rows = makeRows(byNumber, ['B@x.org', '1', 'A'], ['b@x.org ', '3', 'C']);
		const planned = plan(byNumber, rows, contacts).rows;
		for (const plannedRow of planned) {
			expect(plannedRow).toMatchObject({
				change: 'conflict',
				reason: 'Another contact has this email address: 2',
			});
		}
	});

	it('two rows conflict if they would get the same address, but not if they have it already', () => {
		const rows = makeRows(byNumber, ['a@x.org', '1', 'A'], ['A@x.org', '2', 'B']);
		const reason = 'These items have the same email address: 0, 1';
		expect(plan(byNumber, rows, []).rows).toMatchObject([
			{ change: 'conflict', reason },
			{ change: 'conflict', reason },
		]);
		const contacts = [
			makeContact(byNumber, 1, ['a@x.org', '1', 'A']),
			makeContact(byNumber, 2, ['A@x.org', '2', 'old']),
		];
		expect(getChanges(byNumber, rows, contacts)).toEqual(['unchanged', 'updated']);
	});
});

describe('the time at which a contact was added', () => {
	const readAddedAt = (DateAdded: unknown) =>
		toListedContact({ ContactId: 1, DateAdded } as IDataObject, byEmail).addedAt;

	it('is the latest possible time if the service gives no time zone', () => {
		expect(readAddedAt('2026-05-01T12:00:00Z')).toBe(asOf);
		// A time without a zone can mean any moment up to 14 hours later.
		expect(readAddedAt('2026-05-01T12:00:00')).toBe(asOf + 14 * 3_600_000);
		expect(readAddedAt(asOf)).toBe(asOf);
	});

	it.each([undefined, null, '', 'long ago'])('is unknown for %j', (dateAdded) => {
		expect(readAddedAt(dateAdded)).toBeUndefined();
	});
});

describe('contacts without a row', () => {
	const rows = makeRows(byEmail, ['a@x.org', 'A']);
	const old = makeContact(byEmail, 1, ['old@x.org', ''], { addedAt: asOf - 1 });
	const fresh = makeContact(byEmail, 2, ['new@x.org', ''], { addedAt: asOf });
	const undated = makeContact(byEmail, 3, ['undated@x.org', '']);
	const blank = makeContact(byEmail, 4, [' ', '']);
	const contacts = [old, fresh, undated, blank];
	const getUnmatchedChanges = (settings: PlanSettings) =>
		plan(byEmail, rows, contacts, settings).unmatched.map(({ change, contact: { id } }) => [
			id,
			change,
		]);

	it('contacts are left, reported or removed as chosen, except those with a blank key or added after the reading', () => {
		expect(getUnmatchedChanges(leaveMissing)).toEqual([]);
		expect(getUnmatchedChanges({ missingPolicy: 'report', asOf })).toEqual([
			[1, 'missing'],
			[2, 'missing'],
			[3, 'missing'],
		]);
		expect(getUnmatchedChanges(removeMissing)).toEqual([
			[1, 'removed'],
			[2, 'missing'],
			[3, 'removed'],
		]);
	});

	it('the reason of a contact that was added after the reading says so', () => {
		expect(plan(byEmail, rows, [fresh], removeMissing).unmatched).toEqual([
			{ contact: fresh, change: 'missing', reason: 'It was added after the list was read' },
		]);
	});

	it('no contact is removed if the settings have a reason to keep all', () => {
		const unmatched = plan(byEmail, rows, [old], {
			...removeMissing,
			removalBlockedReason: 'So',
		}).unmatched;
		expect(unmatched).toEqual([{ contact: old, change: 'missing', reason: 'So' }]);
	});
});

describe('the digest', () => {
	const target = { baseUrl: 'https://x.org', listId: '7' };
	const rows = makeRows(byEmail, ['a@x.org', 'A'], ['b@x.org', 'B']);
	const a = makeContact(byEmail, 1, ['a@x.org', 'old']);
	const gone = makeContact(byEmail, 9, ['gone@x.org', '']);
	const makeDigest = (
		contacts: ListedContact[],
		{ inputRows = rows, settings = removeMissing, scope = byEmail, syncTarget = target } = {},
	) => digestOf(syncTarget, scope, plan(scope, inputRows, contacts, settings));

	it('changes with the base URL, the list, the key, the fields and every action', () => {
		const digests = [
			makeDigest([a]),
			makeDigest([a], { syncTarget: { ...target, baseUrl: 'https://y.org' } }),
			makeDigest([a], { syncTarget: { ...target, listId: '8' } }),
			makeDigest([a], { scope: { ...byEmail, matchBy: 'LastName' } }),
			makeDigest([a], { scope: makeScope('Email', 'Email', 'FirstName') }),
			makeDigest([makeContact(byEmail, 1, ['a@x.org', 'older'])]),
			makeDigest([makeContact(byEmail, 2, ['a@x.org', 'old'])]),
			makeDigest([a], { inputRows: makeRows(byEmail, ['a@x.org', 'A'], ['b@x.org', 'C']) }),
			makeDigest([a], { inputRows: makeRows(byEmail, ['a@x.org', 'A'], ['c@x.org', 'B']) }),
			makeDigest([a], { inputRows: makeRows(byEmail, ['a@x.org', 'A']) }),
			makeDigest([a, gone]),
			makeDigest([a, { ...gone, id: 10 }]),
			makeDigest([a, makeContact(byEmail, 9, ['gone@x.org', 'changed'])]),
		];
		expect(new Set(digests).size).toBe(digests.length);
	});

	it('does not change with a contact that is only reported, or added later', () => {
		expect(makeDigest([a, gone], { settings: { missingPolicy: 'report', asOf } })).toBe(
			makeDigest([a]),
		);
		expect(makeDigest([a, { ...gone, addedAt: asOf }])).toBe(makeDigest([a]));
	});

	it('does not change with the case of an address that rows are matched by, or with spaces around values', () => {
		const inputRows = makeRows(byEmail, ['A@x.org', ' A'], [' B@X.org', 'B ']);
		expect(makeDigest([a], { inputRows })).toBe(makeDigest([a]));
	});

	it('is stored as text together with the time, and read back', () => {
		const planId = { asOf, digest: makeDigest([a]) };
		expect(planText(planId)).toMatch(/^2026-05-01T12:00:00\.000Z_[\w-]{32}$/);
		expect(readPlanText(` ${planText(planId)} `)).toEqual(planId);
	});

	it.each(['yes', '2026-05-01T12:00:00.000Z_abc', `2026-99-99T12:00:00.000Z_${'a'.repeat(32)}`])(
		'is rejected if its text is "%s"',
		(text) => expect(() => readPlanText(text)).toThrow("'Expected Plan' is not a plan"),
	);
});
