import { BadInput } from '../../../nodes/engine/errors';
import type { Operation, ItemResult } from '../../../nodes/engine/operation';
import { stopNote } from '../../../nodes/engine/run/stopNote';
import { sendJson } from '../../support/toy';
import { service, useToy } from '../toyOperations';

const server = useToy();
const { make } = service.resources.thing!.operations as { make: Operation };
const emptyResult: ItemResult = { items: [] };
const failedResult: ItemResult = { error: new BadInput('No') };
const numberedItems = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

/** Runs an operation over items of which the service rejects one, and returns the error's advice. */
async function adviceAfter(
	operation: string,
	rejectedIndex: number,
	count: number,
	node: object = {},
) {
	server.respondWith((request, response) =>
		request.url.endsWith(`/${rejectedIndex}`) || request.body === `${rejectedIndex}`
			? sendJson(response, 400, { message: 'Not this one' })
			: sendJson(response, 200, { ok: true }),
	);
	const parameters = { thingId: '={{ $json.n }}', value: '={{ JSON.stringify($json.n) }}' };
	const { error } = await server.run(operation, parameters, numberedItems(count), node);
	return (error as { description?: string } | undefined)?.description;
}

it('the error of a stopped run says for how many items a write took effect', async () => {
	expect(await adviceAfter('make', 9, 12)).toMatch(
		/ The run stopped at this item\. For 9 other items, the thing was made\. Run it again from item 9 on; n8n counts items from 0\.$/,
	);
	expect(await adviceAfter('make', 1, 3)).toMatch(/ For 1 other item, the thing was made\. /);
});

it.each<[string, ItemResult[], number, string]>([
	[
		'a later item took effect',
		[emptyResult, failedResult, emptyResult],
		5,
		'with item 1 and from item 3 on',
	],
	[
		'several in a row are left',
		[emptyResult, failedResult, failedResult, emptyResult],
		6,
		'with items 1, 2 and from item 4 on',
	],
	['the rest is one item', [emptyResult, failedResult, emptyResult], 4, 'with items 1, 3'],
])('the error of a stopped run names the items to run again if %s', (_, results, count, which) => {
	expect(stopNote(make, results, count)).toMatch(
		new RegExp(` Run it again ${which}; n8n counts items from 0\\.$`),
	);
});

it('the error of a stopped run of an idempotent operation says only that others were processed', async () => {
	expect(await adviceAfter('remove', 2, 4)).toMatch(
		/ The run stopped at this item\. 2 other items were processed\.$/,
	);
});

it('the error of a stopped run advises no repetition if it is unclear what happened to an item', async () => {
	server.respondWith((request, response) =>
		request.body === '2' ? sendJson(response, 500, {}) : sendJson(response, 200, { ok: true }),
	);
	const { error } = await server.run(
		'make',
		{ value: '={{ JSON.stringify($json.n) }}' },
		numberedItems(4),
	);
	const { description } = error as { description?: string };
	expect(description).toMatch(/Check before running again\. The run stopped at this item\. /);
	expect(description).toMatch(/ For 2 other items, the thing was made\.$/);
});

it('the error of a stopped run advises no further run if no item is left', async () => {
	expect(await adviceAfter('make', 2, 3)).toMatch(
		/[^.]\. For 2 other items, the thing was made\.$/,
	);
});

it.each([
	['the first item fails', 'make', 0, 3, {}],
	['there is one item only', 'make', 0, 1, {}],
	['the operation only reads', 'get', 2, 4, {}],
])(
	'the error of a stopped run does not mention other items if %s',
	async (_, operation, rejected, count, node) => {
		expect(await adviceAfter(operation, rejected, count, node)).not.toMatch(/other item/);
	},
);

it('items in the error output get no note about other items, since the run continues', async () => {
	server.respondWith((request, response) =>
		request.body === '1' ? sendJson(response, 400, { message: 'No' }) : sendJson(response, 200, {}),
	);
	const { errorItems } = await server.run(
		'make',
		{ value: '={{ JSON.stringify($json.n) }}' },
		numberedItems(3),
		{ onError: 'continueErrorOutput' },
	);
	expect(errorItems[0]!.json.details).toBe(
		"Check the values in this node: the service doesn't accept one of them.",
	);
});

it('the error names the item for which nothing was sent', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { ok: true }));
	const { error } = await server.run('sendSms', { thingId: '={{ $json.n }}' }, [
		{ n: 'a' },
		{ n: '..' },
		{ n: 'c' },
	]);
	expect((error as { description?: string }).description).toMatch(
		/Nothing was sent for this item\. The run stopped at this item\. For 1 other item, the message went out\./,
	);
});
