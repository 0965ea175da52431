import { NodeOperationError } from 'n8n-workflow';
import type {
	EngineRequest,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { toNodeError } from '../errors';
import { MOST_PAGES_AT_A_TIME, MOST_RECORDS, readPages } from '../http/pages';
import type { Request } from '../http/types';
import { isReview, isTool } from '../n8n/toolVariants';
import type { Batch, Call, Catalog, Operation, Output, Result, Values } from '../operation';
import { defaultConcurrency } from '../panel/options';
import { within } from '../values/convert';
import { openCalls } from './call';
import type { CredentialErrorMapper, OpenCall } from './call';
import { runEach } from './each';
import { processLock } from './keyedLock';
import { pickFields, recordOrSent, simplifierOf } from './output';
import { SharedAnswers } from './sharedAnswers';

type Simplifier = ReturnType<typeof simplifierOf>;

/**
 * Runs the chosen operation over all input items: reads some at a time, writes one by one, output in the order of the input
 * and paired with it. A failing item goes to the error branch if the user chose so, and otherwise ends the run.
 */
export async function execute(
	context: IExecuteFunctions,
	service: Catalog,
	mapCredentialError: CredentialErrorMapper = (error) => error,
): Promise<INodeExecutionData[][] | EngineRequest> {
	const { operation, calls } = await openCalls(context, service, mapCredentialError);
	// What fails as the review of a tool call is told to its agent, in one way.
	const continueOnFail = context.continueOnFail() && !isReview(context.getNode());
	const simplifiers = new Map<Call, Simplifier>();
	const selections = new Map<Call, string[] | undefined>();
	const answers = new SharedAnswers();
	const batch: Batch = {
		context,
		calls,
		continueOnFail,
		each: async (run) =>
			await runEach(
				calls,
				async (call) => {
					// Before anything is sent: an expression that fails must not fail what was done already.
					if (operation.runBatch) simplifiers.set(call, simplifierOf(operation, call.simplifies));
					selections.set(call, call.selected);
					const { values } = call;
					return await answers.get(call.shareKey, async () => await run(values, call));
				},
				{
					concurrency: concurrencyOf(calls, operation),
					lockKeyOf,
					stopsAfter: (call) => !continueOnFail || isCancelled(call),
				},
			),
	};
	const results = operation.runBatch ? await operation.runBatch(batch) : await batch.each(runOne);
	if (!Array.isArray(results)) return results;
	const failureHandling = { continueOnFail, isOneOfMany: calls.length > 1 };
	const items = results.map((result, index) => {
		const call = calls[index]!;
		// Only now, since what a parked execution keeps is not shaped.
		return toItems(result, call, failureHandling, simplifiers.get(call));
	});
	if (operation.lookUp) await lookUp(operation, results, items, calls);
	for (const [call, names] of selections) {
		const result = results[call.itemIndex];
		if (names && result && 'items' in result) selectFields(items[call.itemIndex]!, names);
	}
	return [items.flat()];
}

/** Leaves of the records of an item the fields with these names. */
function selectFields(items: INodeExecutionData[], names: string[]): void {
	for (const item of items) item.json = pickFields(names, item.json);
}

/**
 * Completes the simplified records of all items. Everything was done by then, so a failure is only told beside the output, and
 * the first one ends it: nobody waits for what is not essential.
 */
async function lookUp(
	operation: Operation,
	results: Result[],
	items: INodeExecutionData[][],
	calls: OpenCall[],
): Promise<void> {
	const { lookUp: find, simplify: names = [] } = operation;
	const complete = async (call: OpenCall): Promise<Output> => {
		const result = results[call.itemIndex];
		const own = items[call.itemIndex] ?? [];
		if (!find || !result || 'error' in result || !call.simplifies) return [];
		const found = await find(
			own.map(({ json }) => json),
			call.values,
			call,
		);
		for (const item of own) {
			const more = found(item.json);
			if (more) item.json = pickFields(names, { ...item.json, ...more });
		}
		return [];
	};
	const lookups = await runEach(calls, complete, {
		concurrency: concurrencyOf(calls, operation),
		lockKeyOf: () => undefined,
		stopsAfter: () => true,
	});
	for (const [index, call] of calls.entries()) {
		const result = lookups[index];
		if (!result || !('error' in result)) continue;
		const { message } = toNodeError(
			call.context.getNode(),
			result.error,
			undefined,
			call.secrets(),
		);
		call.hint(`Some names could not be looked up. ${message}`);
		return;
	}
}

function concurrencyOf(calls: Call[], operation: Operation): number {
	const defaultLimit = defaultConcurrency(operation);
	try {
		return Math.floor(within(1, calls[0]?.option('itemsAtATime'), 100, defaultLimit));
	} catch {
		// An expression that fails for the first item must fail that item alone, when its turn comes.
		return defaultLimit;
	}
}

/**
 * What an item works on, where no two may do so at once; who asks the same waits for the answer. One that cannot be read fails
 * when it is run.
 */
function lockKeyOf(call: OpenCall): string | undefined {
	try {
		return call.shareKey ?? call.operation.lockKey?.(call.values, call);
	} catch {
		return undefined;
	}
}

const isCancelled = (call: Call) => call.context.getExecutionCancelSignal()?.aborted === true;

/** Runs one operation for one item, unless an earlier try of this run has. */
async function runOne(values: Values, call: Call): Promise<Output> {
	return await call.journal.once(async () => await processItem(values, call));
}

async function processItem(values: Values, call: Call): Promise<Output> {
	const { operation } = call;
	const simplify = simplifierOf(operation, call.simplifies);
	const shaped = (output: Output) =>
		Array.isArray(output) ? output.map(simplify) : simplify(output);
	if (operation.run) return shaped(await runLocked(operation.run, values, call));
	const request = await call.request();
	if (operation.pages) return await getMany(call, request, simplify);
	const answer = await call.send(request);
	return shaped(
		operation.output
			? await operation.output(answer, values, call)
			: recordOrSent(answer, request.json, request.path),
	);
}

/** Waits for other executions that work on the same; those of this one wait before they take up a place. */
async function runLocked(
	run: NonNullable<Operation['run']>,
	values: Values,
	call: Call,
): Promise<Output> {
	const lockKey = call.operation.lockKey?.(values, call);
	if (lockKey === undefined) return await run(values, call);
	const signal = call.context.getExecutionCancelSignal();
	return await processLock.take(lockKey, async () => await run(values, call), signal);
}

/** Gets the records of a list, as many as Return All and Limit ask for, simplified page by page if the user wants so. */
async function getMany(call: Call, request: Request, simplify: Simplifier): Promise<IDataObject[]> {
	const { operation, client } = call;
	const returnsEmptyItem = call.option('returnEmptyItem') === true;
	const records: IDataObject[] = [];
	const pages = readPages(client, request, {
		paging: operation.pages ?? {},
		limit: call.recordLimit,
		most: {
			records:
				call.recordLimit === Infinity
					? Math.floor(within(1, call.option('mostRecords'), Infinity, MOST_RECORDS))
					: Infinity,
		},
		pagesAtATime:
			call.recordLimit === Infinity
				? Math.floor(within(1, call.option('pagesAtATime'), MOST_PAGES_AT_A_TIME, 1))
				: 1,
		warn: (message) => call.hint(message),
	});
	for await (const page of pages) {
		for (const record of page) records.push(simplify(record));
	}
	return records.length === 0 && returnsEmptyItem ? [{}] : records;
}

function toItems(
	result: Result | undefined,
	call: Call,
	{ continueOnFail, isOneOfMany }: { continueOnFail: boolean; isOneOfMany: boolean },
	simplify: Simplifier = (record) => record,
): INodeExecutionData[] {
	const pairedItem = { item: call.itemIndex };
	if (!result) return [];
	if ('items' in result)
		return result.items.map((record) => ({ json: simplify(record), pairedItem }));
	const node = call.context.getNode();
	if (isCancelled(call))
		throw new NodeOperationError({ ...node, parameters: {} }, 'The execution was canceled');
	const error = toNodeError(node, result.error, call.itemIndex, call.secrets(), { isOneOfMany });
	if (!continueOnFail) throw error;
	// An agent has the advice in the message.
	const details = error.description && !isTool(node) ? { details: error.description } : {};
	// Without the error itself beside it: n8n would replace the item by the bare message, and drop both this and the input.
	return [{ json: { error: error.message, ...details }, pairedItem }];
}
