import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toNodeError } from '../errors';
import { MOST_RECORDS, readPages } from '../http/pages';
import type { Request } from '../http/types';
import type { Batch, Call, Catalog, Operation, Output, Result, Values } from '../operation';
import { onlyReads } from '../operation';
import { defaults } from '../panel/options';
import { within } from '../values/convert';
import { openCalls } from './call';
import type { OpenCall } from './call';
import { asOutput } from './output';

/**
 * Runs the chosen operation over all input items: reads some at a time, writes one by one, output in the order of the input
 * and paired with it. A failing item goes to the error branch if the user chose so, and otherwise ends the run.
 */
export async function execute(
	context: IExecuteFunctions,
	service: Catalog,
): Promise<INodeExecutionData[][]> {
	const { operation, calls } = await openCalls(context, service);
	const continueOnFail = context.continueOnFail();
	const batch: Batch = {
		context,
		calls,
		continueOnFail,
		each: async (run) =>
			await runEach(
				calls,
				async (call) => await run(call.values, call),
				itemsAtATime(calls, operation),
				continueOnFail,
			),
	};
	const results = operation.together ? await operation.together(batch) : await batch.each(runOne);
	return [results.flatMap((result, index) => toItems(result, calls[index]!, continueOnFail))];
}

function itemsAtATime(calls: Call[], operation: Operation): number {
	const usual = onlyReads(operation) ? defaults.readsAtATime : 1;
	try {
		return Math.floor(within(1, calls[0]?.option('itemsAtATime'), 100, usual));
	} catch {
		// An expression that fails for the first item must fail that item alone, when its turn comes.
		return usual;
	}
}

async function runEach(
	calls: OpenCall[],
	run: (call: OpenCall) => Promise<Output>,
	atATime: number,
	continueOnFail: boolean,
): Promise<Result[]> {
	const results: Result[] = [];
	let next = 0;
	let stopped = false;
	const worker = async () => {
		while (next < calls.length && !stopped) {
			const index = next++;
			try {
				const output = await run(calls[index]!);
				results[index] = { items: Array.isArray(output) ? output : [output] };
			} catch (error) {
				results[index] = { error };
				stopped ||= !continueOnFail || cancelled(calls[index]!);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(atATime, calls.length) }, worker));
	return results;
}

const cancelled = (call: Call) => call.context.getExecutionCancelSignal()?.aborted === true;

/** Runs one operation for one item. */
async function runOne(values: Values, call: Call): Promise<Output> {
	const { operation } = call;
	if (operation.run) return await operation.run(values, call);
	const request = await call.request();
	if (operation.pages) return await getMany(call, request);
	const answer = await call.send(request);
	const output = operation.output ? await operation.output(answer, values, call) : asOutput(answer);
	const simplify = simplifier(call);
	return Array.isArray(output) ? output.map(simplify) : simplify(output);
}

/** Gets the records of a list, as many as Return All and Limit ask for, simplified page by page if the user wants so. */
async function getMany(call: Call, request: Request): Promise<IDataObject[]> {
	const { operation, client } = call;
	const simplify = simplifier(call);
	const records: IDataObject[] = [];
	const pages = readPages(client, request, {
		paging: operation.pages ?? {},
		limit: call.wanted,
		most: {
			records:
				call.wanted === Infinity
					? Math.floor(within(1, call.option('mostRecords'), Infinity, MOST_RECORDS))
					: Infinity,
		},
		warn: (message) => call.hint(message),
	});
	for await (const page of pages) {
		for (const record of page) records.push(simplify(record));
	}
	return records;
}

/** What comes out of one record: tidied, and of its fields those that Simplify keeps, if the user wants so. */
function simplifier(call: Call): (record: IDataObject) => IDataObject {
	const { simplify: keep, tidy = (record) => record } = call.operation;
	if (!keep || !call.simplifies) return tidy;
	return (record) => {
		const kept: IDataObject = {};
		for (const name of keep) if (name in record) kept[name] = record[name];
		return tidy(kept);
	};
}

function toItems(
	result: Result | undefined,
	call: Call,
	continueOnFail: boolean,
): INodeExecutionData[] {
	const pairedItem = { item: call.itemIndex };
	if (!result) return [];
	if ('items' in result) return result.items.map((json) => ({ json, pairedItem }));
	const node = call.context.getNode();
	if (cancelled(call))
		throw new NodeOperationError({ ...node, parameters: {} }, 'The execution was cancelled');
	const error = toNodeError(node, result.error, call.itemIndex, call.secrets());
	if (!continueOnFail) throw error;
	const details = error.description ? { details: error.description } : {};
	// Without the error itself beside it: n8n would replace the item by the bare message, and drop both this and the input.
	return [{ json: { error: error.message, ...details }, pairedItem }];
}
