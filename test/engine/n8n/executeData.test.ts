// Protects Retry On Fail from sending twice: all tries of a run in n8n share one object, which no other run has.
import {
	isInsideAgentStep,
	previousNodeOf,
	repeatedRunOf,
} from '../../../nodes/engine/n8n/executeData';
import { runNode } from '../../support/workflow';
import { createKit, createNodeType } from './engine';

it('all tries of a run share one object, and each try knows the previous node', async () => {
	const runs: Array<object | undefined> = [];
	const contextFacts: unknown[] = [];
	const failingNode = createNodeType(async (context) => {
		runs.push(repeatedRunOf(context));
		contextFacts.push([isInsideAgentStep(context), previousNodeOf(context)]);
		if (runs.length < 3) throw new Error('Once more');
		return [[{ json: {} }]];
	});
	const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const { outputItems } = await runNode(
		createKit({ failing: failingNode }),
		'failing',
		{},
		[{}],
		retries,
	);
	expect(outputItems).toHaveLength(1);
	expect(runs).toHaveLength(3);
	expect(runs[0]).toBeInstanceOf(Object);
	expect(new Set(runs).size).toBe(1);
	expect(contextFacts).toEqual(Array(3).fill([false, 'Start']));
	// Another run has another object.
	await runNode(createKit({ failing: failingNode }), 'failing', {}, [{}], retries);
	expect(new Set(runs).size).toBe(2);
});
