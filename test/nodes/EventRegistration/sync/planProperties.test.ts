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

const settings: fc.Arbitrary<PlanSettings> = fc.record({
	missing: fc.constantFrom('leave', 'report', 'remove'),
	asOf: fc.integer({ min: 0, max: 20 }),
});

interface Case {
	rows: SyncRow[];
	contacts: ListedContact[];
	settings: PlanSettings;
}

const drawCases = (scope: SyncScope): fc.Arbitrary<Case> =>
	fc.record({ rows: drawRows(scope), contacts: drawContacts(scope), settings });

describe.each(['Email', 'MemberNo'] as const)('a plan that matches by %s', (matchBy) => {
	const scope = makeScopeOfAllKinds(matchBy);
	const plan = ({ rows, contacts, settings: given }: Case) =>
		makePlan(scope, rows, contacts, given);

	it('an applied plan leaves nothing to do, for every type of field', () => {
		fc.assert(
			fc.property(drawCases(scope), (drawn) => {
				const first = plan(drawn);
				const contacts = applyPlan(scope, drawn.contacts, first);
				const second = plan({ ...drawn, contacts });
				for (const [at, { change }] of first.rows.entries()) {
					const isWritten = change === 'created' || change === 'updated';
					expect(second.rows[at]!.change).toBe(isWritten ? 'unchanged' : change);
				}
				expect(second.unmatched.filter(({ change }) => change === 'removed')).toEqual([]);
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it('the digest is the same for any order of rows, contacts and fields', () => {
		const order = fc.infiniteStream(fc.nat());
		fc.assert(
			fc.property(drawCases(scope), order, (drawn, random) => {
				const shuffle = <T>(all: readonly T[]) =>
					all
						.map((one) => ({ one, at: random.next().value! }))
						.sort((a, b) => a.at - b.at)
						.map(({ one }) => one);
				const places = shuffle(scope.fields.map((_, at) => at));
				const reorder = <T>(values: readonly T[]) => places.map((at) => values[at]!);
				const otherScope = { matchBy, fields: reorder(scope.fields) };
				const other = makePlan(
					otherScope,
					shuffle(drawn.rows).map((row) => ({ ...row, values: reorder(row.values) })),
					shuffle(drawn.contacts).map((one) => ({ ...one, values: reorder(one.values) })),
					drawn.settings,
				);
				expect(digestOf(target, otherScope, other)).toBe(digestOf(target, scope, plan(drawn)));
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it('the plan is the same if contacts have the texts of their rows', () => {
		fc.assert(
			fc.property(drawCases(scope), (drawn) => {
				const contacts = drawn.contacts.map(createTextDeduplicator(scope, drawn.rows));
				expect(plan({ ...drawn, contacts })).toEqual(plan(drawn));
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});

	it('a plan writes each contact at most once, and removes none that a row or a blank key protects', () => {
		fc.assert(
			fc.property(drawCases(scope), (drawn) => {
				const { rows, unmatched } = plan(drawn);
				const written = rows.flatMap((one) =>
					one.change === 'created' || one.change === 'updated' ? [one.row.key] : [],
				);
				const removed = unmatched.filter(({ change }) => change === 'removed');
				const touched = [...written, ...removed.map(({ contact }) => contact.id)];
				expect(new Set(touched).size).toBe(touched.length);
				const keys = new Set(['', ...drawn.rows.map(({ key }) => key)]);
				for (const { contact } of unmatched) expect(keys).not.toContain(contact.key);
				for (const { contact } of removed) {
					expect(drawn.settings.missing).toBe('remove');
					expect(contact.addedAt ?? 0).toBeLessThanOrEqual(drawn.settings.asOf);
				}
			}),
			{ numRuns: scaleRunCount(200) },
		);
	});
});
