// Protects people from removal by Sync: a contact whose email address is in the input stays on the list.
import fc from 'fast-check';

import { makePlan } from '../../../../nodes/EventRegistration/contact/sync/plan';
import type { PlanSettings } from '../../../../nodes/EventRegistration/contact/sync/plan';
import type { SyncRow } from '../../../../nodes/EventRegistration/contact/sync/types';
import { normalizeEmail } from '../../../../nodes/EventRegistration/write/findByEmail';
import { scaleRunCount } from '../../../support/scaleRunCount';
import { applyMode, errorOutput, makeCustomFields, makePerson } from './people';
import { makeContact, makeRow, makeScope } from './planSamples';
import { useSync } from './syncRig';

const byNumber = makeScope('MemberNo', 'Email', 'MemberNo', 'LastName');
const asOf = Date.parse('2026-05-01T12:00:00Z');
const removeMissing: PlanSettings = { missingPolicy: 'remove', asOf };
const ADDRESS_REASON = 'An input item has its email address';

const makeRows = (...valuesOfRows: Array<SyncRow['values']>) =>
	valuesOfRows.map((values, index) => makeRow(byNumber, index, values));

describe('an address that other contacts have', () => {
	const makeContactsWithSameAddress = (count: number) =>
		Array.from({ length: count }, (_, index) =>
			makeContact(byNumber, index + 1, ['b@x.org', `old ${index}`, '']),
		);
	const makeRowsWithSameAddress = (count: number) =>
		makeRows(...Array.from({ length: count }, (_, index) => ['b@x.org', `new ${index}`, '']));

	it('a contact with the address of a row is not removed, and the row conflicts', () => {
		const [holder, ...others] = [
			...makeContactsWithSameAddress(1),
			makeContact(byNumber, 9, ['c@x.org', '9', '']),
		];
		const { rows, unmatched } = makePlan(
			byNumber,
			makeRowsWithSameAddress(1),
			[holder, ...others],
			removeMissing,
		);
		expect(rows).toMatchObject([{ change: 'conflict' }]);
		expect(unmatched).toEqual([
			{ contact: holder, change: 'missing', reason: ADDRESS_REASON },
			{ contact: others[0], change: 'removed' },
		]);
	});

	it.each(['\u200bb@x.org', 'b@x\u00ad.org', 'B@X.org\u200f'])(
		'a contact with the address of a row is not removed if the row has %j',
		(email) => {
			const contacts = makeContactsWithSameAddress(1);
			const { unmatched } = makePlan(byNumber, makeRows([email, 'n', '']), contacts, removeMissing);
			expect(unmatched).toMatchObject([{ change: 'missing', reason: ADDRESS_REASON }]);
		},
	);

	it('the address is compared once for all rows', () => {
		let reads = 0;
		const contacts = makeContactsWithSameAddress(300).map((contact) => ({
			...contact,
			get id() {
				reads++;
				return contact.id;
			},
		}));
		const { rows } = makePlan(byNumber, makeRowsWithSameAddress(300), contacts, removeMissing);
		expect(rows[299]).toMatchObject({
			change: 'conflict',
			reason: 'Another contact has this email address: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 290 more',
		});
		expect(reads).toBeLessThan(10 * 300);
	});
});

describe('a contact whose address is in a row', () => {
	const kept = makeContact(byNumber, 9, ['B@x.org ', '9', 'B']);
	const planKept = (rows: SyncRow[], contacts = [kept], settings = removeMissing) =>
		makePlan(byNumber, rows, contacts, settings).unmatched;

	it('is reported as missing with the reason, for users who remove reported contacts themselves', () => {
		const rows = makeRows(['b@x.org', '1', 'A'], ['b@x.org', '1', 'C']);
		expect(planKept(rows, [kept], { missingPolicy: 'report', asOf })).toEqual([
			{ contact: kept, change: 'missing', reason: ADDRESS_REASON },
		]);
	});

	it('is never removed, whatever rows and contacts there are', () => {
		const drawNumber = fc.constantFrom('', '1', '2', '3');
		const drawPeople = fc.array(
			fc.tuple(fc.constantFrom('', 'a@x.org', 'A@X.org', 'b@x.org'), drawNumber, drawNumber),
			{ maxLength: 6 },
		);
		fc.assert(
			fc.property(drawPeople, drawPeople, drawPeople, (valid, invalid, listed) => {
				const rows = makeRows(...valid.filter(([, number]) => number !== ''));
				const rejected = makeRows(...invalid);
				const invalidRows = {
					keys: new Set(rejected.map(({ key }) => key)),
					emails: new Set(rejected.map(({ values }) => normalizeEmail(values[0]))),
				};
				const contacts = listed.map((values, id) => makeContact(byNumber, id, values));
				const unmatched = planKept(rows, contacts, { ...removeMissing, invalidRows });
				const inputTexts = new Set(
					[...rows, ...rejected].flatMap(({ key, values }) => [key, normalizeEmail(values[0])]),
				);
				inputTexts.delete('');
				for (const { change, contact } of unmatched) {
					if (change !== 'removed') continue;
					expect(inputTexts).not.toContain(contact.key);
					expect(inputTexts).not.toContain(contact.email);
				}
				// The rule keeps no one else.
				const isInInput = ({ key, email }: (typeof contacts)[number]) =>
					key === '' || inputTexts.has(key) || inputTexts.has(email);
				expect(unmatched.filter(({ change }) => change === 'removed')).toHaveLength(
					contacts.filter((contact) => !isInInput(contact)).length,
				);
			}),
			{ numRuns: scaleRunCount(300) },
		);
	});
});

describe('Sync by member number', () => {
	const { rig, createList, readContacts, sync } = useSync();
	const byMemberNumber = {
		...applyMode,
		missing: 'remove',
		matchBy: 'MemberNumber',
	} as const;
	const makeMember = (name: string, MemberNumber: string, overrides = {}) =>
		makePerson(name, { MemberNumber, ...overrides });
	const makeListedMember = (name: string, MemberNumber: string) =>
		makePerson(name, makeCustomFields({ MemberNumber }));

	it('removes no one whose address is in a row that conflicts', async () => {
		const listId = await createList([
			makeListedMember('ada', '1'),
			makeListedMember('bob', '2'),
			makeListedMember('old', '3'),
		]);
		const { outputItems, error } = await sync(
			listId,
			[makeMember('ada', '1'), makeMember('bob', '7'), makeMember('bob', '7', { Phone: '1' })],
			byMemberNumber,
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ change, reason }) => [change, reason])).toEqual([
			['unchanged', undefined],
			['conflict', expect.stringMatching(/^Rows 2, 3 have the same .* and differ in /)],
			['conflict', expect.stringMatching(/^Rows 2, 3 have the same .* and differ in /)],
			['missing', ADDRESS_REASON],
			['removed', undefined],
		]);
		expect((await readContacts(listId)).map(({ LastName }) => LastName)).toEqual(['ada', 'bob']);
	});

	it('says that an invalid row has the address of a contact, with a number or without', async () => {
		rig.sandbox.settings.eventRegistration.formShape = 'array';
		const listId = await createList([
			makeListedMember('ada', '1'),
			makeListedMember('bob', '2'),
			makeListedMember('cem', '3'),
			makeListedMember('old', '4'),
		]);
		const { outputItems, errorItems } = await sync(
			listId,
			[
				makeMember('ada', '1'),
				makeMember('bob', ' '),
				makeMember('cem', '8', { LastCall: 'at noon' }),
			],
			byMemberNumber,
			errorOutput,
		);
		expect(errorItems).toHaveLength(2);
		expect(outputItems.map(({ change, reason }) => [change, reason])).toEqual([
			['unchanged', undefined],
			['missing', ADDRESS_REASON],
			['missing', ADDRESS_REASON],
			['missing', 'Nothing is removed while input items are invalid'],
		]);
		expect(await readContacts(listId)).toHaveLength(4);
	});
});
