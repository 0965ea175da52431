// Protects the plan of Sync for any input: once applied it leaves nothing to change, and it writes each contact only once.
import fc from 'fast-check';

import { digestOf } from '../../../../nodes/EventRegistration/contact/sync/digest';
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
import { scaleRunCount } from '../../../support/scaleRunCount';
import { applyPlan, drawContacts, makeScopeOfAllKinds, drawRows } from './planSamples';

const target = { baseUrl: 'https://events.example.org', listId: '7003' };

const drawSettings: fc.Arbitrary<PlanSettings> = fc.record({
	missingPolicy: fc.constantFrom('leave', 'report', 'remove'),
	asOf: fc.integer({ min: 0, max: 20 }),
});

interface Case {
	rows: SyncRow[];
	contacts: ListedContact[];
	settings: PlanSettings;
}

const drawCases = (scope: SyncScope): fc.Arbitrary<Case> =>
	fc.record({ rows: drawRows(scope), contacts: drawContacts(scope), settings: drawSettings });

describe.each(['Email', 'MemberNo'] as const)('a plan that matches by %s', (matchBy) => {
	const scope = makeScopeOfAllKinds(matchBy);
	const plan = ({ rows, contacts, settings }: Case) => makePlan(scope, rows, contacts, settings);

	it('is followed by a plan without changes once it is applied, for every type of field', () => {
		fc.assert(
			fc.property(drawCases(scope), (planCase) => {
				const firstPlan = plan(planCase);
				const contacts = applyPlan(scope, planCase.contacts, firstPlan);
				const secondPlan = plan({ ...planCase, contacts });
				for (const [index, { change }] of firstPlan.rows.entries()) {
					const isWritten = change === 'created' || change === 'updated';
					expect(secondPlan.rows[index]!.change).toBe(isWritten ? 'unchanged' : change);
				}
				expect(secondPlan.unmatched.filter(({ change }) => change === 'removed')).toEqual([]);
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it('has the same digest for any order of rows, contacts and fields', () => {
		const randomRanks = fc.infiniteStream(fc.nat());
		fc.assert(
			fc.property(drawCases(scope), randomRanks, (planCase, ranks) => {
				const shuffle = <T>(values: readonly T[]) =>
					values
						.map((value) => ({ value, rank: ranks.next().value! }))
						.sort((a, b) => a.rank - b.rank)
						.map(({ value }) => value);
				const fieldOrder = shuffle(scope.fields.map((_, index) => index));
				const reorder = <T>(values: readonly T[]) => fieldOrder.map((index) => values[index]!);
				const otherScope = { matchBy, fields: reorder(scope.fields) };
				const otherPlan = makePlan(
					otherScope,
					shuffle(planCase.rows).map((row) => ({ ...row, values: reorder(row.values) })),
					shuffle(planCase.contacts).map((contact) => ({
						...contact,
						values: reorder(contact.values),
					})),
					planCase.settings,
				);
				expect(digestOf(target, otherScope, otherPlan)).toBe(
					digestOf(target, scope, plan(planCase)),
				);
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it('is the same if contacts share the texts of their rows', () => {
		fc.assert(
			fc.property(drawCases(scope), (planCase) => {
				const contacts = planCase.contacts.map(createTextDeduplicator(scope, planCase.rows));
				expect(plan({ ...planCase, contacts })).toEqual(plan(planCase));
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it('writes each contact at most once, and removes no contact with the key of a row or a blank key', () => {
		fc.assert(
			fc.property(drawCases(scope), (planCase) => {
				const { rows, unmatched } = plan(planCase);
				const writtenKeys = rows.flatMap((plannedRow) =>
					plannedRow.change === 'created' || plannedRow.change === 'updated'
						? [plannedRow.row.key]
						: [],
				);
				const removals = unmatched.filter(({ change }) => change === 'removed');
				const changedKeysAndIds = [...writtenKeys, ...removals.map(({ contact }) => contact.id)];
				expect(new Set(changedKeysAndIds).size).toBe(changedKeysAndIds.length);
				const keys = new Set(['', ...planCase.rows.map(({ key }) => key)]);
				for (const { contact } of unmatched) expect(keys).not.toContain(contact.key);
				for (const { contact } of removals) {
					expect(planCase.settings.missingPolicy).toBe('remove');
					expect(contact.addedAt ?? 0).toBeLessThanOrEqual(planCase.settings.asOf);
				}
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});
});
