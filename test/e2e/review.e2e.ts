// Protects people who review tool calls: a tool runs only with arguments that they approved, or the agent gets the reason.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { listApprovalIds } from '../../lab/drive/flows';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { seededUserIds } from '../sandbox/twoFactor.fixture';
import { openReviewed } from './park/agent';
import { Reviews } from './park/reviews';
import { ChatServer } from './support/chatServer';

describe('the human review of tools in a real n8n', () => {
	let userFolder: string;
	let lab: Lab;
	let chat: ChatServer;
	let reviews: Reviews;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-review-'));
		lab = await startLab({ userFolder, sandbox: { registrations: 1 } });
		chat = await ChatServer.open();
		reviews = new Reviews(lab, chat, await openReviewed(lab, chat));
	});
	afterEach(() => lab.sandbox.faultRules.clear());
	afterAll(async () => {
		await (chat as ChatServer | undefined)?.close();
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	const lookUpCall = { tool: 'Look up', arguments: { User: `${seededUserIds.withApp}` } };
	const findCall = { tool: 'Find', arguments: { User: `${seededUserIds.plain}` } };

	test('shows every argument on the phone, and runs the tool after an approval', async () => {
		const { shownRequests, agentReply } = await reviews.run([lookUpCall], ['approved']);
		expect(shownRequests).toMatchObject([
			{
				message: 'The agent wants to run the tool Look_up',
				details: {
					Tool: 'Look_up',
					Agent: 'Agent',
					Arguments: '1, marked •',
					'• User': `"${seededUserIds.withApp}"`,
				},
			},
		]);
		expect(agentReply).toContain('confirmed');
	});

	test('does not run a denied tool call', async () => {
		const { agentReply } = await reviews.run([lookUpCall], ['denied']);
		expect(agentReply).toContain('User rejected the tool call to Look up');
		expect(agentReply).not.toContain('confirmed');
	});

	test.each([
		['approved', 'denied'],
		['denied', 'approved'],
	] as const)(
		'sends a request for each of two calls at once, which are %s and %s',
		async (first, second) => {
			const { shownRequests, toolResults } = await reviews.run(
				[[lookUpCall, findCall]],
				[first, second],
			);
			expect(shownRequests).toMatchObject([
				{ details: { Tool: 'Look_up', '• User': `"${seededUserIds.withApp}"` } },
				{ details: { Tool: 'Find', '• User': `"${seededUserIds.plain}"` } },
			]);
			// n8n runs only the approved call, with its own arguments, and does not report the denied call beside it to the agent.
			const user = first === 'approved' ? seededUserIds.withApp : seededUserIds.plain;
			expect(toolResults).toEqual([expect.stringContaining(`"twofactor_id":${user}`)]);
		},
	);

	test('sends another request in the next turn of the same run, but not for a call that was denied', async () => {
		const { shownRequests, toolResults } = await reviews.run(
			[lookUpCall, lookUpCall, findCall],
			['denied', 'approved'],
		);
		expect(shownRequests.map(({ details }) => details.Tool)).toEqual(['Look_up', 'Find']);
		expect(toolResults).toEqual([
			expect.stringContaining('User rejected the tool call to Look up'),
			expect.stringContaining('The person has denied this very call already'),
			expect.stringContaining(`"twofactor_id":${seededUserIds.plain}`),
		]);
	});

	test('reports an expired request to the agent', async () => {
		const { agentReply } = await reviews.run([lookUpCall], ['expire']);
		expect(agentReply).toMatch(/No decision: the request expired .*The tool was not run/);
		expect(agentReply).not.toMatch(/reject|confirmed/);
	});

	test('reads the decision after an outage of the service', async () => {
		const { agentReply } = await reviews.run([lookUpCall], ['approved'], async () => {
			const countBefore = lab.sandbox.requestLog.entries().length;
			lab.sandbox.faultRules.add({ service: 'twoFactor', kind: '503', times: 2 });
			await reviews.waitUntil(() => lab.sandbox.requestLog.entries().length >= countBefore + 2);
		});
		expect(agentReply).toContain('confirmed');
	});

	test('reports to the agent that no request was sent if the service is unavailable', async () => {
		lab.sandbox.faultRules.add({ service: 'twoFactor', kind: '503' });
		const { shownRequests, agentReply } = await reviews.run([lookUpCall], []);
		expect(shownRequests).toEqual([]);
		expect(agentReply).toMatch(/The person couldn't be asked: .*The tool was not run/);
		expect(agentReply).not.toMatch(/reject/);
	});

	test.each([
		[
			'an argument is too long to be shown',
			{ User: 'x'.repeat(2001) },
			{},
			/The argument User has more than/,
		],
		['the model names another tool', {}, { tool: 'Find' }, /a different tool for review/],
	])(
		'sends no request if %s, and reports the reason to the agent',
		async (_, toolArguments, forReview, message) => {
			const idsBefore = listApprovalIds(lab);
			const { agentReply } = await reviews.run(
				[{ tool: 'Look up', arguments: toolArguments, forReview }],
				[],
			);
			expect(listApprovalIds(lab)).toEqual(idsBefore);
			expect(agentReply).toMatch(/The person couldn't be asked: .*The tool was not run/);
			expect(agentReply).toMatch(message);
		},
	);
});
