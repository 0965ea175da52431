// Protects approvals from going to another person: names in the credential select people only where the workflow's author typed
// them, and everything that is shown names the people as the credential does.
import type { IDataObject } from 'n8n-workflow';

import { FIRST_EXECUTION_ID, sendAndWait } from './parkRig';
import { severalPeopleParameters, useSeveralPeople } from './severalPeopleLevels';

const MINUTE = 60_000;
const { rig, open, start, advanceTime, readNextInputs, countRequests } = useSeveralPeople();
const PEOPLE = 'Ada Park, 1\nBo Lind, 2\nCleo Voss, 3';

const openWithPeople = (parameters: Parameters<typeof open>[0], people = PEOPLE) => {
	open(parameters).people = people;
};
const team = (people: string, others: object = {}) => [{ name: 'Team', people, ...others }];
const readHints = () =>
	(rig.readRuns(FIRST_EXECUTION_ID).at(-1)?.hints ?? []).map(({ message }) => message);
const readError = () => rig.readRuns(FIRST_EXECUTION_ID).at(-1)?.error;
const readDetails = () => [...rig.service.approvals.values()].map(({ details }) => details);

describe('levels', () => {
	it('take names that were typed, beside User IDs, and deputies likewise', async () => {
		openWithPeople(
			severalPeopleParameters(
				team(' ada PARK, 3\n', { needed: 'all', deputies: 'Bo Lind', deputiesAfter: 5 }).map(
					(level) => ({ ...level, people: level.people.trim() }),
				),
			),
		);
		await start('One?');
		expect(countRequests()).toEqual({ 1: 1, 3: 1 });
		expect(readHints()).toEqual([expect.stringMatching(/^Waiting for Ada Park, Cleo Voss \(Team/)]);
		await advanceTime(12 * MINUTE);
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1 });
		for (const user of ['1', '3']) rig.service.decideLastRequestOf(user);
		await advanceTime(7 * MINUTE);
		const [[output]] = readNextInputs(FIRST_EXECUTION_ID)! as [[IDataObject]];
		expect(output).toMatchObject({ outcome: 'approved', responder: { name: expect.any(String) } });
		expect(output.decisions).toMatchObject([
			{ twofactor_id: 1, name: 'Ada Park' },
			{ twofactor_id: 3, name: 'Cleo Voss' },
			{ twofactor_id: 2, name: 'Bo Lind', deputy: true },
		]);
	});

	it.each([
		['an expression', "={{ 'Ada Park' }}"],
		['a list in an expression', "={{ ['Ada Park'] }}"],
		['the input', '={{ $json.question }}'],
	])('take no name from %s', async (_, people) => {
		openWithPeople(severalPeopleParameters(team(people)));
		await start('Ada Park');
		expect(countRequests()).toEqual({});
		expect(readError()?.message).toContain('must be User IDs, which are numbers, not "Ada Park"');
	});

	it.each([
		['nearly the name of a person', 'Ada Pork', PEOPLE, /The credential names Ada Park, Bo Lind/],
		['a name, where the credential names no one', 'Ada Park', '', /The credential names no people/],
		['a name below an invalid line', 'Ada Park', 'Bo\nAda Park, 1', /Line 1 of 'People'/],
	])('with %s ask no one', async (_, people, credentialPeople, expectedAdvice) => {
		openWithPeople(severalPeopleParameters(team(people)), credentialPeople);
		await start('One?');
		expect(countRequests()).toEqual({});
		expect(readError()?.message).toMatch(/has "Ada P.rk", which is neither a User ID nor a name/);
		expect((readError() as { description?: string }).description).toMatch(expectedAdvice);
	});

	it('keep the people with whom an item began, also if the credential changes', async () => {
		openWithPeople(severalPeopleParameters(team('Ada Park, 2', { needed: 'all' })));
		await start('One?');
		rig.host.people = 'Ada Park, 2\nMallory, 1';
		rig.host.restartProcess();
		for (const user of ['1', '2']) rig.service.decideLastRequestOf(user);
		await advanceTime(7 * MINUTE);
		expect(countRequests()).toEqual({ 1: 1, 2: 1 });
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ outcome: 'approved', decisions: [{ name: 'Ada Park' }, { name: 'Bo Lind' }] }],
		]);
	});

	it('show the name of the credential, whatever name the input gives a person', async () => {
		const people = "={{ [{ id: 1, name: 'Bo Lind' }, { id: 9, name: 'Dee' }] }}";
		openWithPeople(severalPeopleParameters(team(people)));
		await start('One?');
		expect(readHints()).toEqual([expect.stringMatching(/^Waiting for Ada Park, Dee /)]);
	});

	it('show the requester by name on each phone', async () => {
		openWithPeople(
			severalPeopleParameters(team('1,2'), {
				requester: { __rl: true, mode: 'list', value: '3' },
			}),
		);
		await start('One?');
		expect(readDetails()).toEqual(
			Array.from({ length: 2 }, () =>
				expect.objectContaining({ 'Requester (does not decide)': 'Cleo Voss (3)' }),
			),
		);
		rig.host.people = '';
		for (const user of ['1', '2']) rig.service.decideLastRequestOf(user);
		await advanceTime(7 * MINUTE);
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
	});

	it('name the people who could not be asked', async () => {
		rig.service.usersWithoutApp.add('2').add('3');
		openWithPeople(severalPeopleParameters(team('1,2,3', { needed: 'all' })));
		await start('One?');
		expect(readError()?.message).toMatch(
			/'Team' could be asked, not Bo Lind, Cleo Voss: Cleo Voss \(3\)/,
		);
	});
});

it('a wait for one person names the person', async () => {
	openWithPeople(sendAndWait({ twofactorId: { __rl: true, mode: 'list', value: '2' } }));
	await start('One?');
	expect(readHints()).toEqual([expect.stringMatching(/^Waiting for Bo Lind: "One\?"/)]);
	rig.decide('One?');
	await advanceTime(7 * MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[{ outcome: 'approved', twofactor_id: 2, name: 'Bo Lind' }],
	]);
});
