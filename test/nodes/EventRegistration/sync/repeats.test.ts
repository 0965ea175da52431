// Protects repeated runs of Sync: a second run changes nothing, and the run after a kill at any request completes the list.
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { createContactForm } from '../../../../sandbox/demoData';
import { scaleRunCount } from '../../../support/scaleRunCount';
import { makePerson } from './people';
import { useSync } from './syncRig';

const { rig, proxy, createList, readContacts, sync } = useSync();

const settings = () => rig.sandbox.settings.eventRegistration;
const applyAndRemove = {
	mode: 'apply',
	missing: 'remove',
	options: { maxRemovals: '100%' },
} as const;

/** Draws spellings of every type of field that the form has. */
const fieldValues = {
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

const drawPeople = fc.uniqueArray(
	fc.record(
		{ Email: fc.constantFrom('a@x.org', 'B@x.org', 'c@X.org', 'd@x.org'), ...fieldValues },
		{ requiredKeys: ['Email'] },
	),
	{ minLength: 1, maxLength: 4, selector: ({ Email }) => Email },
);

const pickNameAndEmail = (people: IDataObject[]) =>
	people.map(({ Email, LastName = '' }) => ({ Email, LastName }));

it.each(['captionToName', 'array'])(
	'a second run right after the first changes nothing if the service returns the form as %s',
	async (formShape) => {
		await fc.assert(
			fc.asyncProperty(drawPeople, drawPeople, async (before, people) => {
				settings().formShape = formShape;
				const listId = await createList(pickNameAndEmail(before));
				const first = await sync(listId, people, applyAndRemove);
				expect(first.error).toBeUndefined();
				const { outputItems } = await sync(listId, people, applyAndRemove);
				expect(outputItems.map(({ change }) => change)).toEqual(people.map(() => 'unchanged'));
			}),
			{ numRuns: scaleRunCount(6) },
		);
	},
);

it('a second run updates only fields that the service spells differently, and a hint names these fields', async () => {
	const captions = new Map(createContactForm().map(({ name, caption }) => [name, caption]));
	await fc.assert(
		fc.asyncProperty(drawPeople, async (people) => {
			Object.assign(settings(), { contactStorage: 'normalized', formShape: 'array' });
			const listId = await createList();
			await sync(listId, people, applyAndRemove);
			const { outputItems, hints } = await sync(listId, people, applyAndRemove);
			const changed = outputItems.flatMap(({ changes }) => changes as Array<{ field: string }>);
			const changedFields = [...new Set(changed.map(({ field }) => field))];
			// By their types, the other fields have one meaning in all spellings.
			for (const field of changedFields) expect(['LastName', 'Phone']).toContain(field);
			const namedCaptions = hints
				.filter(({ message }) => message.startsWith('The service stores'))
				.flatMap(({ message }) => [...message.matchAll(/'([^']+)'/g)]);
			expect(namedCaptions.map(([, name]) => name).sort()).toEqual(
				changedFields.map((field) => captions.get(field)).sort(),
			);
		}),
		{ numRuns: scaleRunCount(6) },
	);
});

describe('a run that is killed', () => {
	const before = ['ada', 'bob', 'eve'].map((name) => makePerson(name));
	const people = [
		makePerson('ada', { Phone: '1' }),
		makePerson('bob', { Phone: '2' }),
		makePerson('cem'),
		makePerson('dan'),
	];
	const readState = async (listId: number) =>
		(await readContacts(listId))
			.map(
				({ Email, LastName, Phone = '' }) =>
					`${Email as string} ${LastName as string} ${Phone as string}`,
			)
			.sort();
	const expectedState = ['ada@x.org ada 1', 'bob@x.org bob 2', 'cem@x.org cem ', 'dan@x.org dan '];

	it.each(['dropRequest', 'dropResponse'] as const)(
		'the next run completes the list after a kill at any request (%s)',
		async (decision) => {
			let hasEnded = false;
			for (let killedRequest = 1; !hasEnded; killedRequest++) {
				const listId = await createList(before);
				proxy.decide(({ number }) =>
					number < killedRequest ? 'pass' : number === killedRequest ? decision : 'dropRequest',
				);
				const killed = await sync(listId, people, applyAndRemove);
				hasEnded = proxy.count() < killedRequest;
				// If only the last response is lost, no later request fails, and the run ends with an uncertain contact.
				const isUncertain = killed.outputItems.some(({ change }) => change === 'uncertain');
				expect(killed.error === undefined).toBe(hasEnded || isUncertain);
				proxy.decide(() => 'pass');
				const { error } = await sync(listId, people, applyAndRemove);
				expect(error).toBeUndefined();
				expect(await readState(listId)).toEqual(expectedState);
				// The form, the list twice, a page; two updates and two reads of the first; the list twice and an array; a read and a DELETE.
				if (hasEnded) expect(killedRequest).toBe(13 + 1);
			}
		},
	);

	it('a new preview is needed if the run with a signed-off plan was killed', async () => {
		const listId = await createList(before);
		const { outputItems } = await sync(listId, people, { ...applyAndRemove, mode: 'preview' });
		const signedOff = {
			...applyAndRemove,
			options: { ...applyAndRemove.options, expectedPlan: outputItems[0]!.plan as string },
		};
		proxy.decide(({ method }) => (method === 'POST' ? 'dropResponse' : 'pass'));
		const { hints } = await sync(listId, people, signedOff);
		expect(hints.map(({ message }) => message).join()).toMatch(/make a new preview first/);
		proxy.decide(() => 'pass');
		const { error } = await sync(listId, people, signedOff);
		expect(error).toMatchObject({
			message: expect.stringMatching(/so nothing was written/),
			description: expect.stringMatching(
				/an earlier run was interrupted and may have written.*Make a new preview/,
			),
		});
	});
});
