// Protects the values of expressions: a node outputs the same whether the pack or n8n evaluates its parameters.
import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { field } from '../../../nodes/engine/field';
import { operation } from '../../../nodes/engine/operation';
import { sendJson, startToyServer, toyService, operationTexts } from '../../support/toy';
import type * as Toy from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

const text = { displayName: 'Text', type: 'string', default: '', target: { in: 'body' } } as const;
const service = toyService({
	make: operation({
		...operationTexts,
		request: 'POST /things',
		fields: {
			fixed: field({ ...text, name: 'fixed' }),
			plain: field({ ...text, name: 'plain' }),
			inside: field({ ...text, name: 'inside' }),
			worked: field({ ...text, name: 'worked' }),
			hidden: field({
				...text,
				name: 'hidden',
				displayOptions: { show: { fixed: ['something else'] } },
			}),
		},
		effect: 'it was made',
	}),
});

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
	server.respondWith(({ body }, response) => sendJson(response, 200, JSON.parse(body)));
});
afterAll(async () => await server.close());

/** Loads the engine again with local evaluation on or off, and returns the toy's kit. */
function loadKit(isLocal: boolean) {
	let toy: typeof Toy | undefined;
	jest.isolateModules(() => {
		jest.doMock('../../../nodes/engine/run/localEvaluation', () => ({
			EVALUATES_LOCALLY: isLocal,
		}));
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		toy = require('../../support/toy') as typeof Toy;
	});
	return toy!.toyKit(service, server.url);
}

interface ParameterReader {
	_getNodeParameter(name: string, item: number, fallback: unknown, options?: IDataObject): unknown;
}

/** Runs the node, and counts how often n8n evaluated a parameter. */
async function run(isLocal: boolean, parameters: INodeParameters, input: IDataObject[]) {
	const spy = jest.spyOn(
		ExecuteContext.prototype as unknown as ParameterReader,
		'_getNodeParameter',
	);
	try {
		const { outputItems, error } = await runNode(loadKit(isLocal), 'toy', parameters, input);
		const evaluations = spy.mock.calls.filter(
			([, , , options]) => options?.rawExpressions !== true,
		);
		return { outputItems, error: error?.message, evaluations: evaluations.length };
	} finally {
		spy.mockRestore();
	}
}

it('a node outputs equal items, and fails with equal errors, with local evaluation on and off', async () => {
	const parameters = {
		resource: 'thing',
		operation: 'make',
		fixed: ' as typed ',
		plain: '={{ $json.name }}',
		inside: "={{ $json.of['the place'][1] }}",
		worked: '={{ $json.name + $itemIndex }}',
	};
	const input = ['Ada', 7, true, '', 'ö'].map((name) => ({
		name,
		of: { 'the place': ['zero', `one of ${name}`] },
	}));
	const locally = await run(true, parameters, input);
	const byN8n = await run(false, parameters, input);
	expect(locally.error).toBeUndefined();
	expect(byN8n.outputItems).toEqual(locally.outputItems);
	expect(byN8n.outputItems[1]).toMatchObject({ plain: '7', inside: 'one of 7', worked: '8' });
	// Each of the four fields for each of the five items, at least: otherwise the switch has no effect.
	expect(byN8n.evaluations).toBeGreaterThanOrEqual(4 * input.length);
	expect(locally.evaluations).toBeLessThan(byN8n.evaluations);
	const itemWithoutPlace = [{ name: 'Ada' }];
	expect((await run(false, parameters, itemWithoutPlace)).error).toBe(
		(await run(true, parameters, itemWithoutPlace)).error,
	);
});
