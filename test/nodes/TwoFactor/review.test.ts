import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { asReview, asTool } from '../../park/reviewed';
import { useHurry } from '../../support/hurry';
import { runWorkflow } from '../../support/workflow';
import { DEMO_ID, openTwoFactor } from './fixture';

// Where n8n does not show what the agent has asked for, as when a review is tried out in the editor.

useHurry();

const rig = openTwoFactor();
const pending = () => rig.control('approvals', { status: 'pending' }) as IDataObject[];
const call = { tool: 'Refund', toolParameters: { Amount: 250 }, toolCallId: 'call_1' };

/** Runs a review that guards these tools, and approves what it asks. */
async function review(item: IDataObject, tools: string[]) {
	const { nodes, credentials, secrets } = rig.kit;
	const kinds = { twoFactorHitlTool: asReview(TwoFactor), twoFactorTool: asTool(TwoFactor) };
	const toReview = { ai_tool: [[{ node: 'Review', type: 'ai_tool' as const, index: 0 }]] };
	const over = new AbortController();
	const done = runWorkflow(
		{ nodes: { ...nodes, ...kinds }, credentials, secrets },
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Review', type: 'twoFactorHitlTool', parameters: { twofactorId: DEMO_ID } },
			...tools.map((name) => ({ name, type: 'twoFactorTool' })),
		],
		{
			Start: { main: [[{ node: 'Review', type: 'main', index: 0 }]] },
			...Object.fromEntries(tools.map((name) => [name, toReview])),
		},
		[item],
	).finally(() => over.abort());
	for (let tries = 0; tries < 200 && !over.signal.aborted && pending().length === 0; tries++)
		await delay(25);
	const shown = pending();
	for (const { uuid } of shown) rig.control('decide', { uuid, decision: 'approved' });
	const { run } = await done;
	const [task] = run.data.resultData.runData.Review!;
	const [[answer]] = (task!.data!.ai_tool ?? task!.data!.main) as [[{ json: IDataObject }]];
	return { shown, answer: answer.json };
}

it('goes by the item where only one tool is guarded', async () => {
	const { shown, answer } = await review(call, ['Refund']);
	expect(shown).toMatchObject([{ details: { Tool: 'Refund', '• Amount': '250' } }]);
	expect(answer).toMatchObject({ approved: true, outcome: 'approved' });
	expect(answer).not.toHaveProperty('chatInput');
});

it.each<[string, IDataObject, string[], RegExp]>([
	['which of several tools would be run', call, ['Refund', 'Delete'], /doesn't say for sure/],
	['what would be run at all', call, [], /doesn't say for sure/],
	['a call', { toolParameters: {} }, ['Refund'], /isn't a tool call/],
	['the id of a call', { tool: 'Refund', toolParameters: {} }, ['Refund'], /isn't a tool call/],
])('asks nobody where it does not know %s', async (_, item, tools, words) => {
	const { shown, answer } = await review(item, tools);
	expect(shown).toEqual([]);
	expect(answer).toEqual({ approved: false, chatInput: expect.stringMatching(words) as string });
	expect(answer.chatInput).toMatch(/^The person couldn't be asked: .* The tool was not run\.$/);
});

it('shows a call without arguments as one, and a bare text as what it is', async () => {
	const none = await review({ ...call, toolParameters: null }, ['Refund']);
	expect(none.shown).toMatchObject([{ details: { Tool: 'Refund', Arguments: 'none' } }]);
	rig.sandbox.reset();
	const text = await review({ ...call, toolParameters: 'pay it' }, ['Refund']);
	expect(text.shown).toMatchObject([{ details: { '• input': 'pay it' } }]);
});

it('tells the agent when there is no credential to ask with', async () => {
	rig.withCredential({ baseUrl: '' });
	const { answer } = await review(call, ['Refund']);
	expect(answer.approved).toBe(false);
	expect(answer.chatInput).toMatch(/couldn't be asked: .*Tell the person who runs this workflow/);
});
