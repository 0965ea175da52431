import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { createContactForm } from '../../../../sandbox/demoData';
import { scaleRunCount } from '../../../support/scaleRunCount';
import { person } from './people';
import { useSync } from './syncRig';

const { rig, proxy, list, contacts, sync } = useSync();

const settings = () => rig.sandbox.settings.eventRegistration;
const apply = { mode: 'apply', missing: 'remove', options: { maxRemovals: '100%' } } as const;

/** Spellings of every type of field that the form has. */
const values = {
	LastName: fc.constantFrom('Ada', ' Ada', 'O’Dea  X', ''),
	Phone: fc.constantFrom('+47 55', '(01) 2', ''),
	Industry: fc.constantFrom('Media', 'Software'),
	MemberNumber: fc.constantFrom('00123', '123'),
	Employees: fc.constantFrom(7, '7.0', '007', '-1.50'),
	Newsletter: fc.constantFrom<string | boolean>(true, false, 'yes', 'No', '1'),
	MemberSince: fc.constantFrom('2026-01-05', '2026-01-05T00:00:00Z'),
	LastCall: fc.constantFrom(
		'2026-01-05T09:00:00Z',
		'2026-01-05T10:00:00+01:00',
		'2026-01-05 09:00',
		'2026-01-05',
	),
	Topics: fc.constantFrom<string | string[]>('Data', ['Teaching', 'Data'], 'Security;Data', [
		'Teaching',
		'Health, Safety',
	]),
};

const crowd = fc.uniqueArray(
	fc.record(
		{ Email: fc.constantFrom('a@x.org', 'B@x.org', 'c@X.org', 'd@x.org'), ...values },
		{ requiredKeys: ['Email'] },
	),
	{ minLength: 1, maxLength: 4, selector: ({ Email }) => Email },
);

const asSent = (people: IDataObject[]) =>
	people.map(({ Email, LastName = '' }) => ({ Email, LastName }));

it.each(['captionToName', 'array'])(
	'a second run right after the first changes nothing, with a form as %s',
	async (formShape) => {
		await fc.assert(
			fc.asyncProperty(crowd, crowd, async (before, people) => {
				settings().formShape = formShape;
				const listId = await list(asSent(before));
				const first = await sync(listId, people, apply);
				expect(first.error).toBeUndefined();
				const { outputItems } = await sync(listId, people, apply);
				expect(outputItems.map(({ change }) => change)).toEqual(people.map(() => 'unchanged'));
			}),
			{ numRuns: scaleRunCount(6) },
		);
	},
);

it('a second run updates only fields that the service spells differently, which the hint names', async () => {
	const captions = new Map(createContactForm().map(({ name, caption }) => [name, caption]));
	await fc.assert(
		fc.asyncProperty(crowd, async (people) => {
			Object.assign(settings(), { storesContacts: 'normalized', formShape: 'array' });
			const listId = await list();
			await sync(listId, people, apply);
			const { outputItems, hints } = await sync(listId, people, apply);
			const changed = outputItems.flatMap(({ changes }) => changes as Array<{ field: string }>);
			const fields = [...new Set(changed.map(({ field }) => field))];
			// By their types, the other fields have one meaning in all spellings.
			for (const field of fields) expect(['LastName', 'Phone']).toContain(field);
			const named = hints
				.filter(({ message }) => message.startsWith('The service stores'))
				.flatMap(({ message }) => [...message.matchAll(/'([^']+)'/g)]);
			expect(named.map(([, name]) => name).sort()).toEqual(
				fields.map((field) => captions.get(field)).sort(),
			);
		}),
		{ numRuns: scaleRunCount(6) },
	);
});

describe('a run that is killed', () => {
	const before = ['ada', 'bob', 'eve'].map((name) => person(name));
	const people = [
		person('ada', { Phone: '1' }),
		person('bob', { Phone: '2' }),
		person('cem'),
		person('dan'),
	];
	const readState = async (listId: number) =>
		(await contacts(listId))
			.map(
				({ Email, LastName, Phone = '' }) =>
					`${Email as string} ${LastName as string} ${Phone as string}`,
			)
			.sort();
	const expectedState = ['ada@x.org ada 1', 'bob@x.org bob 2', 'cem@x.org cem ', 'dan@x.org dan '];

	it.each(['dropRequest', 'dropResponse'] as const)(
		'the next run reaches the same state after a kill at any request (%s)',
		async (decision) => {
			let hasEnded = false;
			for (let last = 1; !hasEnded; last++) {
				const listId = await list(before);
				proxy.decide(({ number }) =>
					number < last ? 'pass' : number === last ? decision : 'dropRequest',
				);
				const killed = await sync(listId, people, apply);
				hasEnded = proxy.count() < last;
				// Only an answer that is lost at the very end leaves no request that fails.
				const isOpen = killed.outputItems.some(({ change }) => change === 'uncertain');
				expect(killed.error === undefined).toBe(hasEnded || isOpen);
				proxy.decide(() => 'pass');
				const { error } = await sync(listId, people, apply);
				expect(error).toBeUndefined();
				expect(await readState(listId)).toEqual(expectedState);
				// The form, the list twice, a page; two updates and two reads of the first; the list twice and an array; a read and a DELETE.
				if (hasEnded) expect(last).toBe(13 + 1);
			}
		},
	);

	it('a killed run that was signed off needs a new preview', async () => {
		const listId = await list(before);
		const { outputItems } = await sync(listId, people, { ...apply, mode: 'preview' });
		const signed = {
			...apply,
			options: { ...apply.options, expectedPlan: outputItems[0]!.plan as string },
		};
		proxy.decide(({ method }) => (method === 'POST' ? 'dropResponse' : 'pass'));
		const { hints } = await sync(listId, people, signed);
		expect(hints.map(({ message }) => message).join()).toMatch(/make a new preview first/);
		proxy.decide(() => 'pass');
		const { error } = await sync(listId, people, signed);
		expect(error).toMatchObject({
			message: expect.stringMatching(/so nothing was written/),
			description: expect.stringMatching(/an earlier run was interrupted.*Make a new preview/),
		});
	});
});
