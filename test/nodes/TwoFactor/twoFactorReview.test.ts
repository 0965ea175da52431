import type { IDataObject } from 'n8n-workflow';

import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { asReview, asTool } from '../../engine/review/reviewVariants';
import { useAcceleratedTime } from '../../support/fakeClock';
import { connectTo, runWorkflow } from '../../support/workflow';
import { DEMO_ID, useTwoFactorRig } from './twoFactorRig';

// n8n's call stack has no agent, for example when a user tests the review in the editor.

useAcceleratedTime();

const rig = useTwoFactorRig();
const readPending = () => rig.control('approvals', { status: 'pending' }) as IDataObject[];
const call = { tool: 'Refund', toolParameters: { Amount: 250 }, toolCallId: 'call_1' };

/** Runs a review that guards these tools. */
async function runReview(item: IDataObject, tools: string[]) {
	const { nodes, credentials, credentialData } = rig.kit;
	const kinds = { twoFactorHitlTool: asReview(TwoFactor), twoFactorTool: asTool(TwoFactor) };
	const { run } = await runWorkflow(
		{ nodes: { ...nodes, ...kinds }, credentials, credentialData },
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Review', type: 'twoFactorHitlTool', parameters: { twofactorId: DEMO_ID } },
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
	return { shown: readPending(), answer: result.json };
}

it.each<[string, IDataObject, string[], RegExp]>([
	['which of several tools would be run', call, ['Refund', 'Delete'], /doesn't say for sure/],
	['that an agent has asked', call, ['Refund'], /doesn't say for sure/],
	['what would be run at all', call, [], /doesn't say for sure/],
	['a call', { toolParameters: {} }, ['Refund'], /isn't a tool call/],
	['the id of a call', { tool: 'Refund', toolParameters: {} }, ['Refund'], /isn't a tool call/],
])('a review sends no request without %s', async (_, item, tools, message) => {
	const { shown, answer } = await runReview(item, tools);
	expect(shown).toEqual([]);
	expect(answer).toEqual({ approved: false, chatInput: expect.stringMatching(message) as string });
	expect(answer.chatInput).toMatch(/^The person couldn't be asked: .* The tool was not run\.$/);
});

it('a review without a credential reports that to the agent', async () => {
	rig.changeCredential({ baseUrl: '' });
	const { answer } = await runReview(call, ['Refund']);
	expect(answer.approved).toBe(false);
	expect(answer.chatInput).toMatch(/couldn't be asked: .*Tell the person who runs this workflow/);
});
