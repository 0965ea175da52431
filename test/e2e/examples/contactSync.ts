import type { Run } from '../../../lab/drive/flows';
import type { RestClient } from '../../../lab/rest';
import type { ExampleRun, Scenario } from './exampleRun';
import type { ThreeItemScenario } from './many';
import { ended, pollUntil, execute } from './runs';
import type { Ended } from './runs';

type Json = Record<string, unknown>;

const FILE = '20-keep-a-list-in-step.json';
const CONTACTS = '/contactlists/7025/contacts';

/** The contacts of the list by member number, in the words of the table. */
async function contactsOf({ ask }: ExampleRun): Promise<Json[]> {
	const contacts = await ask.all(CONTACTS);
	const custom = ({ CustomFields }: Json, name: string) =>
		(CustomFields as Array<{ Name: string; Value: string }>).find(({ Name }) => Name === name)
			?.Value;
	return contacts
		.map((contact) => ({
			memberNumber: custom(contact, 'MemberNumber'),
			firstName: contact.FirstName,
			lastName: contact.LastName,
			email: contact.Email,
			organization: contact.Organization,
		}))
		.sort(byNumber);
}

const byNumber = (a: Json, b: Json) =>
	`${a.memberNumber as string}`.localeCompare(`${b.memberNumber as string}`);

const member = (memberNumber: string, firstName: string) => ({
	memberNumber,
	firstName,
	lastName: 'Joined',
	email: `${firstName.toLowerCase()}@members.example`,
	organization: 'Northlight',
});

/** Edits the table that a run has made, as a person does in n8n's editor. */
function tableOf(rest: RestClient, run: Ended) {
	const { id, projectId } = run.json('Make the table')[0] as { id: string; projectId: string };
	const address = `/projects/${projectId}/data-tables/${id}`;
	const withNumber = (value: string) => ({
		type: 'and',
		filters: [{ columnName: 'memberNumber', condition: 'eq', value }],
	});
	return {
		add: async (data: Json[]) => void (await rest.post(`${address}/insert`, { data })),
		change: async (memberNumber: string, data: Json) =>
			void (await rest.patch(`${address}/rows`, { filter: withNumber(memberNumber), data })),
		remove: async (memberNumber: string) => {
			const params = { filter: JSON.stringify(withNumber(memberNumber)) };
			await rest.delete(`${address}/rows`, { params });
		},
	};
}

/** Answers the request of an execution once it waits, and returns what it showed. */
async function answer(
	{ manager }: ExampleRun,
	execution: Run,
	decision: 'approved' | 'denied' = 'approved',
): Promise<Json> {
	await execution.waitForStatus('waiting', 60_000);
	const approval = await manager.approval();
	await manager.decide(decision, approval);
	return approval.details;
}

const counts = (added: number, changed: number, removed: number) => ({
	Added: `${added}`,
	Changed: `${changed}`,
	Removed: `${removed}`,
});

/** Scenario of the example that keeps a list in step. */
export const contactSync: Record<string, Scenario> = {
	[FILE]: {
		does: 'writes what the manager has signed off, and asks no one if nothing has changed',
		async play(example) {
			const { id, lab, ask, manager, run } = example;
			expect(await ask.all(CONTACTS)).toEqual([]);
			const first = await run(async (execution) => {
				expect(await answer(example, execution)).toMatchObject({
					...counts(6, 0, 0),
					Workflow: 'Keep a contact list in step with a table',
				});
			});
			const members = first.json('One row each').sort(byNumber);
			expect(members).toHaveLength(6);
			expect(await contactsOf(example)).toEqual(members);

			const second = await run(undefined, 'Every night');
			expect(second.json('Nothing has changed')).toEqual([
				{ message: 'Nothing has changed: 6 members are up to date' },
			]);
			expect(second.ran('Sign off')).toBe(false);
			expect(await manager.approvals(0)).toEqual([]);

			const table = tableOf(lab.rest, second);
			await table.change('00118', { organization: 'Riverside' });
			await table.remove('00121');
			const denied = await run(async (execution) => {
				expect(await answer(example, execution, 'denied')).toMatchObject(counts(0, 1, 1));
			});
			expect(denied.json('Not written')).toEqual([
				{ message: 'Nothing was written: the request was denied' },
			]);
			expect(await contactsOf(example)).toEqual(members);

			// The table changes between the request and the approval.
			const overtaken = await execute(lab.rest, id, 'Start here');
			await pollUntil('The third request', async () => (await manager.approvals(1))[0]);
			const joined = member('00140', 'Nia');
			await table.add([joined]);
			await manager.decide('approved', await manager.approval());
			const failed = await ended(lab.rest, overtaken, 120_000);
			expect(failed.error).toMatch(/another one than the expected one/);
			expect(await contactsOf(example)).toEqual(members);

			const last = await run(async (execution) => {
				expect(await answer(example, execution)).toMatchObject(counts(1, 1, 1));
			});
			expect(
				last.json('Apply').map(({ change, applied, key }) => ({ change, applied, key })),
			).toEqual([
				{ change: 'updated', applied: true, key: '00118' },
				{ change: 'created', applied: true, key: '00140' },
				{ change: 'removed', applied: true, key: '00121' },
			]);
			expect(await contactsOf(example)).toEqual([
				...members
					.filter(({ memberNumber }) => memberNumber !== '00121')
					.map((one) =>
						one.memberNumber === '00118' ? { ...one, organization: 'Riverside' } : one,
					),
				joined,
			]);
		},
	},
};

/** The same with three starts at once, and three people who have joined. */
export const threeItemContactSync: Record<string, ThreeItemScenario> = {
	async [FILE](example) {
		const { lab, runWith } = example;
		const approveIfAsked = async (execution: Run) => {
			const status = await pollUntil('A request, or the end', async () => {
				const now = await execution.status();
				return now === 'waiting' || now === 'success' ? now : undefined;
			});
			if (status === 'waiting') await answer(example, execution);
		};
		const starts = [{}, {}, {}];
		const before = await runWith('Start here', starts, approveIfAsked);
		const joined = [member('00201', 'Ada'), member('00202', 'Bo'), member('00203', 'Cy')];
		await tableOf(lab.rest, before).add(joined);
		await runWith('Start here', starts, async (execution) => {
			expect(await answer(example, execution)).toMatchObject(counts(3, 0, 0));
		});
		const contacts = await contactsOf(example);
		expect(contacts.filter(({ lastName }) => lastName === 'Joined')).toEqual(
			expect.arrayContaining(joined),
		);
		const numbers = contacts.map(({ memberNumber }) => memberNumber);
		expect(new Set(numbers).size).toBe(numbers.length);
	},
};
