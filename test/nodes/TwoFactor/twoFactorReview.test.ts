// Protects people from unclear reviews: one without a single certain tool call sends no request, and approves nothing.
import type { IDataObject } from 'n8n-workflow';

import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { asReview, asTool } from '../../engine/review/reviewVariants';
import { useAcceleratedTime } from '../../support/fakeClock';
import { connectTo, runWorkflow } from '../../support/workflow';
import { APP_ID, useTwoFactorRig } from './twoFactorRig';

// No agent calls these reviews, as when a user tests the review in the editor.

useAcceleratedTime();

const rig = useTwoFactorRig();
const readPending = () => rig.control('approvals', { status: 'pending' }) as IDataObject[];
const toolCall = { tool: 'Refund', toolParameters: { Amount: 250 }, toolCallId: 'call_1' };

/** Runs a review that is connected to these tools. Returns the approval requests it sent and its answer to the agent. */
async function runReview(item: IDataObject, tools: string[]) {
	const { nodes, credentials, credentialData } = rig.kit;
	const variants = { twoFactorHitlTool: asReview(TwoFactor), twoFactorTool: asTool(TwoFactor) };
	const { run } = await runWorkflow(
		{ nodes: { ...nodes, ...variants }, credentials, credentialData },
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Review', type: 'twoFactorHitlTool', parameters: { twofactorId: APP_ID } },
			...tools.map((name) => ({ name, type: 'twoFactorTool' })),
		],
		{
			Start: connectTo('Review'),
			...Object.fromEntries(tools.map((name) => [name, connectTo('Review', 'ai_tool')])),
		},
		[item],
	);
	const [task] = run.data.resultData.runData.Review!;
	const [[result]] = (task!.data!.ai_tool ?? task!.data!.main) as [[{ json: IDataObject }]];
	return { pendingApprovals: readPending(), answer: result.json };
}

it.each<[string, IDataObject, string[], RegExp]>([
	['is for one of several tools', toolCall, ['Refund', 'Delete'], /doesn't say for sure/],
	['is from no agent', toolCall, ['Refund'], /doesn't say for sure/],
	['is for no connected tool', toolCall, [], /doesn't say for sure/],
	['has no tool', { toolParameters: {} }, ['Refund'], /isn't a tool call/],
	[
		'has no ID of the call',
		{ tool: 'Refund', toolParameters: {} },
		['Refund'],
		/isn't a tool call/,
	],
])(
	'a review sends no approval request if its input %s',
	async (_, item, tools, expectedMessage) => {
		const { pendingApprovals, answer } = await runReview(item, tools);
		expect(pendingApprovals).toEqual([]);
		expect(answer).toEqual({
			approved: false,
			chatInput: expect.stringMatching(expectedMessage) as string,
		});
		expect(answer.chatInput).toMatch(/^The person couldn't be asked: .* The tool was not run\.$/);
	},
);

it('a review without a base URL in the credential reports to the agent that the person could not be asked', async () => {
	rig.changeCredential({ baseUrl: '' });
	const { answer } = await runReview(toolCall, ['Refund']);
	expect(answer.approved).toBe(false);
	expect(answer.chatInput).toMatch(/couldn't be asked: .*Tell the person who runs this workflow/);
});
