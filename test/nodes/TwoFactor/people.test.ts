// Protects people from being confused: names come from the credential alone, and a line that could mean two people names no one.
import fc from 'fast-check';

import { readPeopleOf, requireValidPeople } from '../../../nodes/TwoFactor/people';
import { useAcceleratedTime } from '../../support/fakeClock';
import { openPanel } from '../../support/panel';
import { adviceOf, APP_ID, useTwoFactorRig } from './twoFactorRig';

useAcceleratedTime();
const rig = useTwoFactorRig();
const PEOPLE = `Ines Moreau, ${APP_ID}\nMorgan Ellery, 100003`;
const SHORT_WAIT = {
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
	},
};
const readProblem = (people: string) => readPeopleOf({ people }).problem;

describe('the field People', () => {
	it.each([
		['with a comma', 'Ines Moreau, 100002'],
		['with a semicolon', 'Ines Moreau;100002'],
		['copied from a table', '  Ines Moreau\t100002  '],
		['with line ends of Windows', '\r\nInes Moreau, 100002\r\n'],
	])('names a person in a line %s', (_, people) => {
		const { all, problem, nameOf, idOf } = readPeopleOf({ people });
		expect(problem).toBeUndefined();
		expect(all).toEqual([{ name: 'Ines Moreau', id: '100002' }]);
		expect([nameOf(100002), nameOf('100002'), nameOf('0100002')]).toEqual([
			'Ines Moreau',
			'Ines Moreau',
			undefined,
		]);
		expect([idOf('inés  MOREAU'), idOf('Ines')]).toEqual(['100002', undefined]);
	});

	it.each([
		['no ID', 'Ines Moreau', /is not a name, a comma and a User ID/],
		['an email address in place of the ID', 'Ines, ines@example.com', /comma and a User ID/],
		['an ID that begins with 0', 'Ines, 0100002', /comma and a User ID/],
		['a number as the name', '100003, 100002', /is not a name of up to/],
		['a comma in the name', 'Moreau, Ines, 100002', /without commas/],
		['an invisible character', 'Ines\u200b Moreau, 100002', /visible characters/],
		['a control of the direction', 'Ines \u202eMoreau, 100002', /visible characters/],
		['a name that is too long', `${'x'.repeat(101)}, 100002`, /up to 100/],
		[
			'a name of two people',
			'Ines, 100002\nINES, 100003',
			/Line 2 .* "INES" is in an earlier line/,
		],
		['two names of one person', 'Ines, 100002\nMorgan, 100002', /Line 2 .*100002 is in an earlier/],
	])('with %s is reported, and that line names no one', (_, people, expectedMessage) => {
		expect(readProblem(people)).toMatch(expectedMessage);
		expect(() => requireValidPeople({ people })).toThrow(expectedMessage);
		expect(readPeopleOf({ people }).all).toHaveLength(people.split('\n').length - 1);
	});

	it('never gives two IDs one name, and finds each person that it lists', () => {
		const line = fc
			.tuple(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.integer({ min: 1, max: 20 }))
			.map(([name, id]) => `${name}, ${id}`);
		fc.assert(
			fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 8 }), (lines) => {
				const { all, nameOf, idOf } = readPeopleOf({ people: lines.join('\n') });
				expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
				for (const { name, id } of all) expect([nameOf(id), idOf(name)]).toEqual([name, id]);
			}),
		);
	});
});

describe('the list of people', () => {
	const listPeople = async (filter?: string) =>
		await openPanel(rig.kit, 'twoFactor', {
			resource: 'approvalRequest',
			operation: 'sendAndWait',
		}).list('searchPeople', filter);

	it('has the people of the credential, with their IDs', async () => {
		rig.changeCredential({ people: PEOPLE });
		expect((await listPeople()).results).toEqual([
			{ name: 'Ines Moreau (100002)', value: '100002' },
			{ name: 'Morgan Ellery (100003)', value: '100003' },
		]);
		expect((await listPeople('élLery')).results).toHaveLength(1);
		expect((await listPeople('100002')).results).toHaveLength(1);
	});

	it('says what to do if there is no one, or if a line is not valid', async () => {
		await expect(listPeople()).rejects.toThrow('The credential names no people');
		rig.changeCredential({ people: 'Ines' });
		await expect(listPeople()).rejects.toThrow("Line 1 of 'People'");
	});
});

describe('with people in the credential', () => {
	beforeEach(() => rig.changeCredential({ people: PEOPLE }));
	const ask = { twofactorId: APP_ID, message: 'May I?' };
	const decide = (uuid: unknown, status: string) =>
		rig.control('decide', { uuid: uuid as string, decision: status });

	it('approval requests name the user, and the user who answered', async () => {
		const created = await rig.operate('approvalRequest', 'create', ask);
		expect(created.outputItems).toMatchObject([{ twofactor_id: 100002, name: 'Ines Moreau' }]);
		expect(created.outputItems[0]).not.toHaveProperty('responder');
		const { id: uuid } = created.outputItems[0]!;
		decide(uuid, 'approved');
		for (const operation of ['get', 'waitForDecision']) {
			const { outputItems } = await rig.operate('approvalRequest', operation, { uuid });
			expect(outputItems).toMatchObject([
				{ outcome: 'approved', name: 'Ines Moreau', responder: { name: 'Ines Moreau' } },
			]);
		}
	});

	it('a user who is not among them has no name', async () => {
		rig.changeCredential({ people: 'Morgan Ellery, 100003' });
		const { outputItems } = await rig.operate('approvalRequest', 'create', ask);
		expect(outputItems[0]).not.toHaveProperty('name');
	});

	it('errors name the user', async () => {
		const denied = await rig.operate('approvalRequest', 'sendAndWait', {
			...ask,
			options: { ...SHORT_WAIT, errorOutcomes: ['stillOutstanding'] },
		});
		expect(denied.error?.message).toContain("Ines Moreau didn't decide in time");
		rig.control('removeApp', { twofactor_id: APP_ID });
		const { error } = await rig.operate('approvalRequest', 'create', ask);
		expect(error?.message).toContain("Ines Moreau (100002) doesn't have the app");
	});

	it('the name of a person does not pass for a User ID', async () => {
		const named = { ...ask, twofactorId: { __rl: true, mode: 'id', value: 'Ines Moreau' } };
		const { error } = await rig.operate('approvalRequest', 'create', named);
		expect(error?.message).toContain("'User ID' must be a number");
		expect(adviceOf(error)).toContain('Nothing was sent');
	});

	it('a locator of either mode sends the request to the user', async () => {
		for (const mode of ['list', 'id']) {
			const { outputItems } = await rig.operate(
				'approvalRequest',
				'create',
				{
					...ask,
					twofactorId: { __rl: true, mode, value: '={{ $json.user }}' },
				},
				[{ user: 100003 }],
			);
			expect(outputItems).toMatchObject([{ twofactor_id: 100003, name: 'Morgan Ellery' }]);
		}
	});

	it('an invalid line fails no run', async () => {
		rig.changeCredential({ people: 'Ines' });
		const { outputItems, error } = await rig.operate('approvalRequest', 'create', ask);
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(1);
	});
});
