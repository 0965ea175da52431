import type { LabCredential } from '../../../lab/credentials';
import { unwrap } from '../../../lab/rest';
import { withCredentials } from '../../../lab/workflows';
import type { WorkflowFile } from '../../../lab/workflows';
import { ChatServer } from '../support/chatServer';
import type { ExampleRun, Scenario } from './exampleRun';
import { readRows } from './readBack';
import type { ThreeItemScenario } from './threeItemScenarios';

/** Gives the chat model of an agent's example an account, as the note in the example asks for. */
export async function addModelCredential(
	{ id, lab: { rest } }: ExampleRun,
	chat: ChatServer,
): Promise<void> {
	const account = { name: 'Scripted', type: 'openAiApi', data: { apiKey: 'any', url: chat.url } };
	const credential = unwrap<LabCredential>((await rest.post('/credentials', account)).data);
	const workflow = unwrap<WorkflowFile>((await rest.get(`/workflows/${id}`)).data);
	const { nodes, versionId } = withCredentials(workflow, [credential]);
	await rest.patch(`/workflows/${id}`, { nodes, versionId });
}

/** Scenarios of the examples with human review, by file. */
export const agents: Record<string, Scenario> = {
	'14-agent-asks-before-refund.json': {
		does: 'lets the agent make only those refunds that the manager approves',
		async play(example) {
			const { lab, serviceClient, manager, run } = example;
			const chat = await ChatServer.open();
			try {
				await addModelCredential(example, chat);
				const options = await serviceClient.readAll('/events/1001/registrations/5000004/options');
				const dinner = options.find(
					(option) => option.RegistrationOptionName === 'Conference dinner',
				)!;
				const refund = { Registration: 5000004, Amount: dinner.Total, Reason: 'Dinner was full' };
				chat.setScript([
					{ tool: 'Look up an order', arguments: { Registration: 5000004 } },
					{ tool: 'Refund', arguments: refund },
				]);
				const decide = (decision: 'approved' | 'denied') =>
					run(async (execution) => {
						const approval = await manager.waitForApproval();
						expect(approval.message).toBe('The agent wants to refund a guest. Is that right?');
						expect(approval.details).toEqual({
							Tool: 'Refund',
							Agent: 'Refund agent',
							Workflow: 'An agent that asks my phone before it refunds',
							Arguments: '3, marked •',
							'• Registration': '5000004',
							'• Amount': `${dinner.Total as number}`,
							'• Reason': 'Dinner was full',
						});
						await execution.waitForStatus('waiting');
						expect(await manager.waitForApprovals(1)).toHaveLength(1);
						await manager.decide(decision, approval);
					});

				const denied = await decide('denied');
				expect(denied.json('Answer to the guest')).toEqual([
					{ answer: expect.stringContaining('User rejected the tool call to Refund') },
				]);
				expect(await readRows(lab.rest, denied, 'Make the table')).toEqual([]);

				const approved = await decide('approved');
				const row = { registrationId: 5000004, amount: dinner.Total, reason: 'Dinner was full' };
				expect(await readRows(lab.rest, approved, 'Make the table')).toEqual([
					expect.objectContaining(row),
				]);
				expect(approved.json('Answer to the guest')).toEqual([
					{ answer: expect.stringContaining('"reason":"Dinner was full"') },
				]);
				// The model has read the order before it decided.
				expect(JSON.stringify(chat.receivedRequests.at(-1)!.messages)).toContain(
					'Conference dinner',
				);
			} finally {
				await chat.close();
			}
		},
	},
	'15-sign-off-a-payment.json': {
		does: 'makes the approved payments, although n8n was restarted meanwhile',
		async play({ lab, manager, run }) {
			const endedRun = await run(async (execution) => {
				const [first, second, third] = await manager.waitForApprovals(3);
				expect(first).toMatchObject({
					message: 'Pay EUR 1250.00 to Harbor Hall rental?',
					details: {
						Payee: 'Harbor Hall rental',
						Amount: 'EUR 1250.00',
						Invoice: 'INV-2041',
						Workflow: 'Sign off a payment',
					},
				});
				await execution.waitForStatus('waiting');
				await manager.decide('denied', second!);
				const restarted = lab.restart();
				await manager.decide('approved', third!);
				await restarted;
				expect(await execution.status()).toBe('waiting');
				await manager.decide('approved', first!);
			});
			const rows = await readRows(lab.rest, endedRun, 'Make the table');
			expect(rows).toEqual([
				expect.objectContaining({ invoice: 'INV-2041', payee: 'Harbor Hall rental', amount: 1250 }),
				expect.objectContaining({ invoice: 'INV-2043', payee: 'Lumen Stage Lights', amount: 2400 }),
			]);
			expect(endedRun.json('Not paid')).toEqual([{ message: 'Not paid: INV-2042 was denied' }]);
			// No person was asked a second time.
			expect(endedRun.json('Sign off')).toHaveLength(3);
			expect(await manager.waitForApprovals(0)).toEqual([]);
		},
	},
};

/** The scenario of the agent's example with three guests at once. */
export const threeItemAgents: Record<string, ThreeItemScenario> = {
	async '14-agent-asks-before-refund.json'(example) {
		const { lab, manager, runWith } = example;
		const chat = await ChatServer.open();
		try {
			await addModelCredential(example, chat);
			const refund = { Registration: 5000007, Amount: 7, Reason: 'One of three' };
			chat.setScript([{ tool: 'Refund', arguments: refund }]);
			const messages = ['first', 'second', 'third'].map((name) => `I am the ${name} guest.`);
			const input = messages.map((message) => ({ message }));
			const endedRun = await runWith('What the guest wrote', input, async () => {
				for (let remaining = messages.length; remaining > 0; remaining--) {
					await manager.decide('approved', await manager.waitForApproval());
				}
			});
			expect(endedRun.json('Answer to the guest')).toHaveLength(3);
			const rows = await readRows(lab.rest, endedRun, 'Make the table');
			expect(rows.filter(({ reason }) => reason === 'One of three')).toHaveLength(3);
			const readMessages = JSON.stringify(chat.receivedRequests.map((request) => request.messages));
			for (const message of messages) expect(readMessages).toContain(message);
		} finally {
			await chat.close();
		}
	},
};
