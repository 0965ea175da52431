// Protects Retry On Fail in loops and during an update of the pack: the journal records what was sent in one run of one
// node, and ends with the execution.
import * as n8nWorkflow from 'n8n-workflow';
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { operation } from '../../../nodes/engine/operation';
import type { execute } from '../../../nodes/engine/run/execute';
import { sendJson, toyKit, toyService, operationTexts } from '../../support/toy';
import { connectTo, runNode, runWorkflow } from '../../support/workflow';
import type { NodeKit } from '../../support/workflow';
import {
	namedItems,
	dropConnection,
	makeParameters,
	nameField,
	readName,
	respondWithRejection,
	retryOnFailSettings,
	service,
	useRetriedService,
} from './retriedService';

const { server, kit, readSentNames, failFirstAttempt } = useRetriedService();

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
			const items = context.first as ReturnType<typeof this.getInputData>;
			return (context.rounds as number) > 3 ? [items, []] : [[], items];
		}
	}

	it('sends each item in every run, and repeats only rejected requests', async () => {
		let requestsForB = 0;
		server.respondWith((request, response) =>
			// Rejects the first request of the second item in each round.
			readName(request) === 'b' && ++requestsForB % 2 === 1
				? respondWithRejection(response)
				: sendJson(response, 200, {}),
		);
		const { error } = await runWorkflow(
			{ ...kit, nodes: { ...kit.nodes, loop: Loop } },
			[
				{ name: 'Start', type: 'start' },
				{ name: 'Loop', type: 'loop' },
				{ name: 'Node', type: 'toy', parameters: makeParameters, ...retryOnFailSettings },
			],
			{
				Start: connectTo('Loop'),
				Loop: { main: [[], ...connectTo('Node').main!] },
				Node: connectTo('Loop'),
			},
			namedItems('a', 'b'),
		);
		expect(error).toBeUndefined();
		expect(readSentNames()).toEqual(['a', 'b', 'b', 'a', 'b', 'b', 'a', 'b', 'b']);
	});
});

describe('the item journal', () => {
	/** Returns a kit whose node loads the pack's code again in every try, as after an update of the pack. */
	function createReloadingKit(): NodeKit {
		const Toy = kit.nodes.toy!;
		class ReloadingToy extends Toy {
			override execute = async function (this: IExecuteFunctions) {
				let reloaded: { execute: typeof execute } | undefined;
				jest.isolateModules(() => {
					// n8n reloads the pack, not n8n-workflow.
					jest.doMock('n8n-workflow', () => n8nWorkflow);
					// eslint-disable-next-line @typescript-eslint/no-require-imports
					reloaded = require('../../../nodes/engine/run/execute');
				});
				return (await reloaded!.execute(this, service)) as never;
			};
		}
		return { ...kit, nodes: { toy: ReloadingToy } };
	}

	it.each([
		['rejected request', respondWithRejection, ['a', 'b', 'b'], undefined],
		[
			'lost response',
			dropConnection,
			['a', 'b'],
			/^Row 2 of \d: The connection to the toy service broke /,
		],
	])('survives an update of the pack after a %s', async (_, respond, requests, message) => {
		failFirstAttempt({ b: respond });
		const { error } = await runNode(
			createReloadingKit(),
			'toy',
			makeParameters,
			namedItems('a', 'b'),
			retryOnFailSettings,
		);
		expect(readSentNames()).toEqual(requests);
		expect(error?.message).toEqual(message ? expect.stringMatching(message) : undefined);
		if (message) expect(error!.name).toBe('NodeApiError');
	});

	it('keeps no output of an execution that has ended', async () => {
		setFlagsFromString('--expose-gc');
		const collectGarbage = runInNewContext('gc') as () => void;
		const outputRefs: Array<WeakRef<object>> = [];
		const serviceWithWeakRefs = toyService({
			make: operation({
				...operationTexts,
				request: 'POST /things',
				fields: { name: nameField },
				effect: 'the thing was made',
				output: () => {
					const output = { made: true };
					outputRefs.push(new WeakRef(output));
					return output;
				},
			}),
		});
		failFirstAttempt({ b: respondWithRejection });
		await runNode(
			toyKit(serviceWithWeakRefs, server.url),
			'toy',
			makeParameters,
			namedItems('a', 'b'),
			retryOnFailSettings,
		);
		expect(outputRefs).toHaveLength(2);
		for (let collections = 0; collections < 5; collections++) {
			await new Promise((resolve) => setImmediate(resolve));
			collectGarbage();
		}
		expect(outputRefs.filter((ref) => ref.deref() !== undefined)).toEqual([]);
	});
});
