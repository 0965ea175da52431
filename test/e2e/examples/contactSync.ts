import type { Run } from '../../../lab/drive/flows';
import type { RestClient } from '../../../lab/rest';
import type { ExampleRun, Scenario } from './exampleRun';
import { waitForEnd, pollUntil, execute } from './runs';
import type { EndedExecution } from './runs';
import type { ThreeItemScenario } from './threeItemScenarios';

type Json = Record<string, unknown>;

const FILE = '20-keep-a-list-in-step.json';
const CONTACTS = '/contactlists/7025/contacts';

/** Reads the contacts of the list, sorted by member number, with the column names of the table. */
async function readContacts({ serviceClient }: ExampleRun): Promise<Json[]> {
	const contacts = await serviceClient.readAll(CONTACTS);
	const readCustomField = ({ CustomFields }: Json, name: string) =>
		(CustomFields as Array<{ Name: string; Value: string }>).find(({ Name }) => Name === name)
			?.Value;
	return contacts
		.map((contact) => ({
			memberNumber: readCustomField(contact, 'MemberNumber'),
			firstName: contact.FirstName,
			lastName: contact.LastName,
			email: contact.Email,
			organization: contact.Organization,
		}))
		.sort(compareMemberNumbers);
}

const compareMemberNumbers = (a: Json, b: Json) =>
	`${a.memberNumber as string}`.localeCompare(`${b.memberNumber as string}`);

const createMember = (memberNumber: string, firstName: string) => ({
	memberNumber,
	firstName,
	lastName: 'Joined',
	email: `${firstName.toLowerCase()}@members.example`,
	organization: 'Northlight',
});

/** Returns functions that edit the table of a run, as a person does in n8n's editor. */
function createTableEditor(rest: RestClient, run: EndedExecution) {
	const { id, projectId } = run.json('Make the table')[0] as { id: string; projectId: string };
	const address = `/projects/${projectId}/data-tables/${id}`;
	const filterByNumber = (value: string) => ({
		type: 'and',
		filters: [{ columnName: 'memberNumber', condition: 'eq', value }],
	});
	return {
		add: async (data: Json[]) => void (await rest.post(`${address}/insert`, { data })),
		change: async (memberNumber: string, data: Json) =>
			void (await rest.patch(`${address}/rows`, { filter: filterByNumber(memberNumber), data })),
		remove: async (memberNumber: string) => {
			const params = { filter: JSON.stringify(filterByNumber(memberNumber)) };
			await rest.delete(`${address}/rows`, { params });
		},
	};
}

/** Answers the request of an execution once it waits, and returns what it showed. */
async function answerRequest(
	{ manager }: ExampleRun,
	execution: Run,
	decision: 'approved' | 'denied' = 'approved',
): Promise<Json> {
	await execution.waitForStatus('waiting', 60_000);
	const approval = await manager.waitForApproval();
	await manager.decide(decision, approval);
	return approval.details;
}

const formatCounts = (added: number, changed: number, removed: number) => ({
	Added: `${added}`,
	Changed: `${changed}`,
	Removed: `${removed}`,
});

/** Scenario of the example that keeps a list in step. */
export const contactSync: Record<string, Scenario> = {
	[FILE]: {
		does: 'writes the changes that the manager approved, and sends no request without changes',
		async play(example) {
			const { id, lab, serviceClient, manager, run } = example;
			expect(await serviceClient.readAll(CONTACTS)).toEqual([]);
			const firstRun = await run(async (execution) => {
				expect(await answerRequest(example, execution)).toMatchObject({
					...formatCounts(6, 0, 0),
					Workflow: 'Keep a contact list in step with a table',
				});
			});
			const members = firstRun.json('One row each').sort(compareMemberNumbers);
			expect(members).toHaveLength(6);
			expect(await readContacts(example)).toEqual(members);

			const secondRun = await run(undefined, 'Every night');
			expect(secondRun.json('Nothing has changed')).toEqual([
				{ message: 'Nothing has changed: 6 members are up to date' },
			]);
			expect(secondRun.ran('Sign off')).toBe(false);
			expect(await manager.waitForApprovals(0)).toEqual([]);

			// Sync keeps contacts that were added in the second in which it reads the list.
			lab.sandbox.clock.advance(2000);
			const table = createTableEditor(lab.rest, secondRun);
			await table.change('00118', { organization: 'Riverside' });
			await table.remove('00121');
			const denied = await run(async (execution) => {
				expect(await answerRequest(example, execution, 'denied')).toMatchObject(
					formatCounts(0, 1, 1),
				);
			});
			expect(denied.json('Not written')).toEqual([
				{ message: 'Nothing was written: the request was denied' },
			]);
			expect(await readContacts(example)).toEqual(members);

			// The table changes between the request and the approval.
			const executionId = await execute(lab.rest, id, 'Start here');
			await pollUntil('The third request', async () => (await manager.waitForApprovals(1))[0]);
			const newMember = createMember('00140', 'Nia');
			await table.add([newMember]);
			await manager.decide('approved', await manager.waitForApproval());
			const failedRun = await waitForEnd(lab.rest, executionId, 120_000);
			expect(failedRun.error).toMatch(/another one than the expected one/);
			expect(await readContacts(example)).toEqual(members);

			const lastRun = await run(async (execution) => {
				expect(await answerRequest(example, execution)).toMatchObject(formatCounts(1, 1, 1));
			});
			expect(
				lastRun.json('Apply').map(({ change, applied, key }) => ({ change, applied, key })),
			).toEqual([
				{ change: 'updated', applied: true, key: '00118' },
				{ change: 'created', applied: true, key: '00140' },
				{ change: 'removed', applied: true, key: '00121' },
			]);
			expect(await readContacts(example)).toEqual([
				...members
					.filter(({ memberNumber }) => memberNumber !== '00121')
					.map((member) =>
						member.memberNumber === '00118' ? { ...member, organization: 'Riverside' } : member,
					),
				newMember,
			]);
		},
	},
};

/** The scenario with three starts at once, and three people who have joined. */
export const threeItemContactSync: Record<string, ThreeItemScenario> = {
	async [FILE](example) {
		const { lab, runWith } = example;
		const approveIfAsked = async (execution: Run) => {
			const status = await pollUntil('A request, or the end', async () => {
				const currentStatus = await execution.status();
				return currentStatus === 'waiting' || currentStatus === 'success'
					? currentStatus
					: undefined;
			});
			if (status === 'waiting') await answerRequest(example, execution);
		};
		const starts = [{}, {}, {}];
		const firstRun = await runWith('Start here', starts, approveIfAsked);
		const newMembers = [
			createMember('00201', 'Ada'),
			createMember('00202', 'Bo'),
			createMember('00203', 'Cy'),
		];
		await createTableEditor(lab.rest, firstRun).add(newMembers);
		await runWith('Start here', starts, async (execution) => {
			expect(await answerRequest(example, execution)).toMatchObject(formatCounts(3, 0, 0));
		});
		const contacts = await readContacts(example);
		expect(contacts.filter(({ lastName }) => lastName === 'Joined')).toEqual(
			expect.arrayContaining(newMembers),
		);
		const memberNumbers = contacts.map(({ memberNumber }) => memberNumber);
		expect(new Set(memberNumbers).size).toBe(memberNumbers.length);
	},
};
