import * as n8nWorkflow from 'n8n-workflow';
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { operation } from '../../../nodes/engine/operation';
import type { execute } from '../../../nodes/engine/run/execute';
import { sendJson, toyKit, toyService, operationTexts } from '../../support/toy';
import { connectTo, runNode, runWorkflow } from '../../support/workflow';
import type { Kit } from '../../support/workflow';
import {
	namedItems,
	dropConnection,
	makeEach,
	nameField,
	nameInRequest,
	respondRejected,
	retryOnFailSettings,
	service,
	useRetriedService,
} from './retriedService';

// The journal records what was sent in one run of one node, and ends with the execution.

const { server, kit, sentNames, failFirstAttempt } = useRetriedService();

describe('a node that runs several times in one execution', () => {
	/** Imitates n8n's Loop Over Items with a batch size of 1: passes the same items in every round. */
	class Loop implements INodeType {
		description: INodeType['description'] = {
			displayName: 'Loop',
			name: 'loop',
			group: ['input'],
			version: 1,
			description: 'Loop',
			defaults: { name: 'Loop' },
			inputs: ['main'],
			outputs: ['main', 'main'],
			properties: [],
		};

		async execute(this: IExecuteFunctions) {
			const context = this.getContext('node');
			context.first ??= this.getInputData();
			context.rounds = ((context.rounds as number | undefined) ?? 0) + 1;
			const round = context.first as ReturnType<typeof this.getInputData>;
			return (context.rounds as number) > 3 ? [round, []] : [[], round];
		}
	}

	it('sends in every run, and nothing twice in one run', async () => {
		let count = 0;
		server.respondWith((request, response) =>
			// Rejects the first request of the second item in each round.
			nameInRequest(request) === 'b' && ++count % 2 === 1
				? respondRejected(response)
				: sendJson(response, 200, {}),
		);
		const { error } = await runWorkflow(
			{ ...kit, nodes: { ...kit.nodes, loop: Loop } },
			[
				{ name: 'Start', type: 'start' },
				{ name: 'Loop', type: 'loop' },
				{ name: 'Node', type: 'toy', parameters: makeEach, ...retryOnFailSettings },
			],
			{
				Start: connectTo('Loop'),
				Loop: { main: [[], ...connectTo('Node').main!] },
				Node: connectTo('Loop'),
			},
			namedItems('a', 'b'),
		);
		expect(error).toBeUndefined();
		expect(sentNames()).toEqual(['a', 'b', 'b', 'a', 'b', 'b', 'a', 'b', 'b']);
	});
});

describe('the item journal', () => {
	/** Runs the node with code that is loaded again in every try, as after an update of the pack. */
	function updatedEachTime(): Kit {
		const Toy = kit.nodes.toy!;
		class Updated extends Toy {
			override execute = async function (this: IExecuteFunctions) {
				let fresh: { execute: typeof execute } | undefined;
				jest.isolateModules(() => {
					// n8n reloads the pack, not n8n-workflow.
					jest.doMock('n8n-workflow', () => n8nWorkflow);
					// eslint-disable-next-line @typescript-eslint/no-require-imports
					fresh = require('../../../nodes/engine/run/execute');
				});
				return (await fresh!.execute(this, service)) as never;
			};
		}
		return { ...kit, nodes: { toy: Updated } };
	}

	it.each([
		['done', respondRejected, ['a', 'b', 'b'], undefined],
		[
			'uncertain',
			dropConnection,
			['a', 'b'],
			/^The connection to the toy service broke .* \[item 1\]$/,
		],
	])('survives an update of the pack between two tries: %s', async (_, way, requests, message) => {
		failFirstAttempt({ b: way });
		const { error } = await runNode(
			updatedEachTime(),
			'toy',
			makeEach,
			namedItems('a', 'b'),
			retryOnFailSettings,
		);
		expect(sentNames()).toEqual(requests);
		expect(error?.message).toEqual(message ? expect.stringMatching(message) : undefined);
		if (message) expect(error!.name).toBe('NodeApiError');
	});

	it('keeps nothing after the execution has ended', async () => {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		const bodies: Array<WeakRef<object>> = [];
		const serviceWithWeakRefs = toyService({
			make: operation({
				...operationTexts,
				request: 'POST /things',
				fields: { name: nameField },
				effect: 'the thing was made',
				output: () => {
					const body = { made: true };
					bodies.push(new WeakRef(body));
					return body;
				},
			}),
		});
		failFirstAttempt({ b: respondRejected });
		await runNode(
			toyKit(serviceWithWeakRefs, server.url),
			'toy',
			makeEach,
			namedItems('a', 'b'),
			retryOnFailSettings,
		);
		expect(bodies).toHaveLength(2);
		for (let times = 0; times < 5; times++) {
			await new Promise((resolve) => setImmediate(resolve));
			collectGarbage();
		}
		expect(bodies.filter((body) => body.deref() !== undefined)).toEqual([]);
	});
});
