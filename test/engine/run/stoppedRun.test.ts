// Protects users whose run stops at an item: the error says how many other items took effect, and which items to run again.
import { BadInput, ServiceFailure } from '../../../nodes/engine/errors';
import type { Operation, ItemResult } from '../../../nodes/engine/operation';
import { stopNote } from '../../../nodes/engine/run/stopNote';
import { sendJson } from '../../support/toy';
import { service, useToy } from '../toyOperations';

const server = useToy();
const { make } = service.resources.thing!.operations as { make: Operation };
const doneResult: ItemResult = { items: [] };
const failedResult: ItemResult = { error: new BadInput('No') };
const unclearResult: ItemResult = { error: new ServiceFailure('Lost', { uncertain: true }) };
const numberedItems = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

/** Runs an operation over items of which the service rejects one, and returns the error's advice. */
async function runAndReadAdvice(
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

describe('the error of a stopped run', () => {
	it('says for how many items a write took effect', async () => {
		expect(await runAndReadAdvice('make', 9, 12)).toMatch(
			/ The run stopped at this row\. For 9 other rows, the thing was made\. Run it again from row 10 on\.$/,
		);
		expect(await runAndReadAdvice('make', 1, 3)).toMatch(/ For 1 other row, the thing was made\. /);
	});

	it.each<[string, ItemResult[], number, string]>([
		[
			'an item after the failed one took effect',
			[doneResult, failedResult, doneResult],
			5,
			'with row 2 and from row 4 on',
		],
		[
			'several consecutive items failed',
			[doneResult, failedResult, failedResult, doneResult],
			6,
			'with rows 2, 3 and from row 5 on',
		],
		['only one item was not reached', [doneResult, failedResult, doneResult], 4, 'with rows 2, 4'],
	])('names the items to run again if %s', (_, results, count, itemsToRun) => {
		expect(stopNote(make, results, count)).toMatch(new RegExp(` Run it again ${itemsToRun}\\.$`));
	});

	it.each<[string, ItemResult[], string]>([
		['no item took effect', [failedResult, unclearResult], ''],
		[
			'others took effect',
			[failedResult, doneResult, unclearResult],
			'For 1 other row, the thing was made. ',
		],
	])(
		'names the items behind the failed one whose effect is unclear if %s',
		(_, results, effect) => {
			const unclear = results.indexOf(unclearResult);
			expect(stopNote(make, results, results.length)).toBe(
				`${effect}For row ${unclear + 1}, it's unclear whether the thing was made: check before running again.`,
			);
		},
	);

	it('says only how many other items were processed if the operation is idempotent', async () => {
		expect(await runAndReadAdvice('remove', 2, 4)).toMatch(
			/ The run stopped at this row\. 2 other rows were processed\.$/,
		);
	});

	it('advises to check first, and names no items to run again, if the effect of the failed item is unclear', async () => {
		server.respondWith((request, response) =>
			request.body === '2' ? sendJson(response, 500, {}) : sendJson(response, 200, { ok: true }),
		);
		const { error } = await server.run(
			'make',
			{ value: '={{ JSON.stringify($json.n) }}' },
			numberedItems(4),
		);
		const { description } = error as { description?: string };
		expect(description).toMatch(/Check before running again\. The run stopped at this row\. /);
		expect(description).toMatch(/ For 2 other rows, the thing was made\.$/);
	});

	it('names no items to run again if the last item failed', async () => {
		expect(await runAndReadAdvice('make', 2, 3)).toMatch(
			/[^.]\. For 2 other rows, the thing was made\.$/,
		);
	});

	it.each([
		['the first item fails', 'make', 0, 3, {}],
		['there is one item only', 'make', 0, 1, {}],
		['the operation only reads', 'get', 2, 4, {}],
	])('does not mention other items if %s', async (_, operation, rejectedIndex, count, node) => {
		expect(await runAndReadAdvice(operation, rejectedIndex, count, node)).not.toMatch(/other row/);
	});

	it('does not mention other items in the error output, since the run continues', async () => {
		server.respondWith((request, response) =>
			request.body === '1'
				? sendJson(response, 400, { message: 'No' })
				: sendJson(response, 200, {}),
		);
		const { errorItems } = await server.run(
			'make',
			{ value: '={{ JSON.stringify($json.n) }}' },
			numberedItems(3),
			{ onError: 'continueErrorOutput' },
		);
		expect(errorItems[0]!.json.error).toMatch(
			/ Check the values in this node: the service doesn't accept one of them\.$/,
		);
	});

	it('says that nothing was sent for an item with an invalid value', async () => {
		server.respondWith((_, response) => sendJson(response, 200, { ok: true }));
		const { error } = await server.run('sendSms', { thingId: '={{ $json.n }}' }, [
			{ n: 'a' },
			{ n: '..' },
			{ n: 'c' },
		]);
		expect((error as { description?: string }).description).toMatch(
			/Nothing was sent for this item\. The run stopped at this row\. For 1 other row, the message went out\./,
		);
	});
});
