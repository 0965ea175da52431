import type { INodeExecutionData } from 'n8n-workflow';

import type { Batch } from '../../../nodes/engine/operation';
import { addAskedHint } from '../../../nodes/TwoFactor/approvalRequest/askedHint';
import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { sendAndWait, useParkRig } from '../../engine/park/parkRig';
import { severalPeopleParameters, twoOfThree } from '../../engine/park/severalPeopleLevels';
import { singleNodeWorkflow } from '../../support/singleNodeWorkflow';

const MINUTE = 60_000;
const parkRig = useParkRig();
const { open, start, advanceTime, decide } = parkRig;

/** The hints next to the output, after every question was decided. */
async function getHintsAfter(
	items: Array<{ question: string; user?: number }>,
	overrides: object = {},
) {
	open(sendAndWait({ twofactorId: '={{ $json.user ?? 100002 }}', ...overrides }));
	const execution = await start(...items);
	expect(execution.status).toBe('waiting');
	for (const { question } of items) decide(question);
	await advanceTime(2 * MINUTE);
	const finished = parkRig.host.executions.get('1')!;
	expect(finished.status).toBe('success');
	const runs = finished.run!.data.resultData.runData.Ask!;
	return runs.flatMap(({ hints = [] }) => hints.map(({ message }) => message));
}

it('the hint after the wait says how many people were asked', async () => {
	const items = [100002, 100003, 100004].map((user) => ({ question: `${user}?`, user }));
	expect(await getHintsAfter(items)).toEqual([
		'All 3 items ran, not only the first: 3 people were asked.',
	]);
});

it('the hint counts a person who was asked twice once', async () => {
	expect(await getHintsAfter([{ question: 'a?' }, { question: 'b?' }])).toEqual([
		'All 2 items ran, not only the first: 1 person was asked 2 times in all.',
	]);
});

it('the hint counts failed items instead of people, since some of them may have been asked', () => {
	const hint = jest.fn();
	const calls = [1, 2, 3].map(() => ({ hint })) as unknown as Batch['calls'];
	addAskedHint({ calls }, [{ items: [{}] }, { error: new Error('No') }, { items: [{}] }]);
	expect(hint.mock.calls).toEqual([['All 3 items ran, not only the first, and 1 failed.']]);
});

it('the hint counts everyone who was asked if several people decide', async () => {
	open(severalPeopleParameters([twoOfThree]));
	await start('a?', 'b?');
	const { service } = parkRig;
	for (const id of ['1', '2'].flatMap((user) => service.uuidsSentTo(user)))
		service.decide(id, 'approved');
	await advanceTime(2 * MINUTE);
	const [run] = parkRig.host.executions.get('1')!.run!.data.resultData.runData.Ask!.slice(-1);
	expect(run!.hints!.map(({ message }) => message)).toEqual([
		'All 2 items ran, not only the first: 3 people were asked 6 times in all.',
	]);
});

it('a single item has no hint', async () => {
	expect(await getHintsAfter([{ question: 'a?' }])).toEqual([]);
});

it('the hint does not advise running items again whose users were asked', async () => {
	open(sendAndWait({ options: { errorOutcomes: ['denied'] } }));
	await start('a?', 'b?', 'c?');
	decide('a?');
	decide('b?', 'denied');
	decide('c?');
	await advanceTime(2 * MINUTE);
	const { error } = parkRig.host.executions.get('1')!.run!.data.resultData;
	expect(error?.message).toMatch(/ \[item 1\]$/);
	expect(error?.description).not.toMatch(/other item|Run it again/);
});

describe('the hint before a run', () => {
	const [hint] = new TwoFactor().description.hints!;

	/** Evaluates the hint's condition as n8n's editor does. */
	function isShown(operation: string, itemCount: number): unknown {
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
	])('the hint is shown for %s with %i items: %s', (operation, items, shown) => {
		expect(isShown(operation, items)).toBe(shown);
	});

	it("is shown next to n8n's own", () => {
		expect(hint).toMatchObject({ location: 'outputPane', whenToDisplay: 'beforeExecution' });
		expect(hint!.message).toContain('Each input item asks its own user');
	});
});
