// Protects users who send several items at once: the hints before and after the execution say how many people are asked.
import type { INodeExecutionData } from 'n8n-workflow';

import type { Batch } from '../../../nodes/engine/operation';
import { addAskedHint } from '../../../nodes/TwoFactor/approvalRequest/askedHint';
import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { sendAndWait, useParkRig } from '../../engine/park/parkRig';
import { severalPeopleParameters, twoOfThree } from '../../engine/park/severalPeopleLevels';
import { singleNodeWorkflow } from '../../support/singleNodeWorkflow';

const MINUTE_MS = 60_000;
const parkRig = useParkRig();
const { open, start, advanceTime, decide } = parkRig;

/** Asks the questions, decides all of them and returns the hints of the finished node. */
async function askAndGetHints(
	items: Array<{ question: string; user?: number }>,
	overrides: object = {},
) {
	open(sendAndWait({ twofactorId: '={{ $json.user ?? 100002 }}', ...overrides }));
	const execution = await start(...items);
	expect(execution.status).toBe('waiting');
	for (const { question } of items) decide(question);
	await advanceTime(2 * MINUTE_MS);
	const finished = parkRig.host.executions.get('1')!;
	expect(finished.status).toBe('success');
	const runs = finished.run!.data.resultData.runData.Ask!;
	return runs.flatMap(({ hints = [] }) => hints.map(({ message }) => message));
}

it('the hint after the wait says how many people were asked', async () => {
	const items = [100002, 100003, 100004].map((user) => ({ question: `${user}?`, user }));
	expect(await askAndGetHints(items)).toEqual([
		'All 3 items ran, not only the first: 3 people were asked.',
	]);
});

it('the hint counts a person who was asked twice once', async () => {
	expect(await askAndGetHints([{ question: 'a?' }, { question: 'b?' }])).toEqual([
		'All 2 items ran, not only the first: 1 person was asked 2 times in all.',
	]);
});

it('the hint counts failed items instead of people, since a failed item may have asked its user', () => {
	const hint = jest.fn();
	const calls = [1, 2, 3].map(() => ({ hint })) as unknown as Batch['calls'];
	addAskedHint({ calls }, [{ items: [{}] }, { error: new Error('No') }, { items: [{}] }]);
	expect(hint.mock.calls).toEqual([['All 3 items ran, not only the first, and 1 failed.']]);
});

it('the hint counts all people of all levels if several people decide', async () => {
	open(severalPeopleParameters([twoOfThree]));
	await start('a?', 'b?');
	const { service } = parkRig;
	for (const id of ['1', '2'].flatMap((user) => service.uuidsSentTo(user)))
		service.decide(id, 'approved');
	await advanceTime(2 * MINUTE_MS);
	const [run] = parkRig.host.executions.get('1')!.run!.data.resultData.runData.Ask!.slice(-1);
	expect(run!.hints!.map(({ message }) => message)).toEqual([
		'All 2 items ran, not only the first: 3 people were asked 6 times in all.',
	]);
});

it('a single item adds no hint', async () => {
	expect(await askAndGetHints([{ question: 'a?' }])).toEqual([]);
});

it('the error of one item does not advise to run the other items again, whose users were asked', async () => {
	open(sendAndWait({ options: { errorOutcomes: ['denied'] } }));
	await start('a?', 'b?', 'c?');
	decide('a?');
	decide('b?', 'denied');
	decide('c?');
	await advanceTime(2 * MINUTE_MS);
	const { error } = parkRig.host.executions.get('1')!.run!.data.resultData;
	expect(error?.message).toMatch(/^Row 2 of 3: /);
	expect(error?.description).not.toMatch(/other row|Run it again/);
});

describe('the hint before an execution', () => {
	const [hint] = new TwoFactor().description.hints!;

	/** Evaluates the hint's condition as n8n's editor does. */
	function isHintShown(operation: string, itemCount: number): unknown {
		const node = {
			id: '1',
			name: 'Ask',
			type: 'twoFactor',
			typeVersion: 1,
			position: [0, 0] as [number, number],
			parameters: { resource: 'approvalRequest', operation },
		};
		const workflow = singleNodeWorkflow(node, new TwoFactor());
		const items: INodeExecutionData[] = Array.from({ length: itemCount }, () => ({ json: {} }));
		return workflow.expression.getParameterValue(
			hint!.displayCondition,
			null,
			0,
			0,
			'Ask',
			items,
			'manual',
			{},
		);
	}

	it.each([
		['sendAndWait', 3, true],
		['sendAndWait', 1, false],
		['create', 3, false],
	])('is shown for %s with %i items: %s', (operation, itemCount, isExpected) => {
		expect(isHintShown(operation, itemCount)).toBe(isExpected);
	});

	it('is shown in the output pane, where n8n shows its own hint before an execution', () => {
		expect(hint).toMatchObject({ location: 'outputPane', whenToDisplay: 'beforeExecution' });
		expect(hint!.message).toContain('Each input item asks its own user');
	});
});
