import { NodeOperationError } from 'n8n-workflow';
import type {
	EngineRequest,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { toNodeError } from '../errors';
import { MAX_PAGE_CONCURRENCY, DEFAULT_MAX_RECORDS, readPages } from '../http/pages';
import type { Request } from '../http/types';
import { isReview, isTool } from '../n8n/toolVariants';
import type { Batch, ItemCall, Catalog, Operation, Output, ItemResult, Values } from '../operation';
import { defaultConcurrency } from '../panel/options';
import { clampNumber } from '../values/convert';
import { createItemCalls } from './call';
import type { CredentialErrorMapper, CallWithValues } from './call';
import { runEach } from './each';
import { processLock } from './keyedLock';
import { pickFields, recordOrSent, shapesOutput, recordShaperOf } from './output';
import { SharedResults } from './sharedResults';
import { stopNote } from './stopNote';
import { traceRun } from './trace';

type RecordShaper = ReturnType<typeof recordShaperOf>;

/**
 * Runs the chosen operation for all input items. Reads run concurrently, and writes sequentially, unless the operation or
 * the user sets otherwise. The output has the order of the input and is paired with it. A failed item ends the run. If the
 * user chose to continue ('On Error'), its output is an item with the error instead, which n8n moves to the error branch if
 * there is one.
 *
 * Records are shaped once (`recordShaperOf`): in `processItem`, or in `toItems` for operations with `runBatch`. Then `lookUp`
 * adds fields and again keeps only the fields of Simplify. The user's field selection is applied last.
 */
export async function execute(
	context: IExecuteFunctions,
	service: Catalog,
	mapCredentialError: CredentialErrorMapper = (error) => error,
): Promise<INodeExecutionData[][] | EngineRequest> {
	const { operation, calls, stats } = await createItemCalls(context, service, mapCredentialError);
	// The human review of a tool call reports every failure to the agent in one place (`review/agentMessages`), so errors must throw.
	const continueOnFail = context.continueOnFail() && !isReview(context.getNode());
	const recordShapers = new Map<ItemCall, RecordShaper>();
	const selections = new Map<ItemCall, string[]>();
	const sharedResults = new SharedResults();
	const unpaired: INodeExecutionData[] = [];
	const batch: Batch = {
		context,
		calls,
		continueOnFail,
		each: async (run, { releasesValues = false } = {}) =>
			await runEach(
				calls,
				async (call) => {
					// The output parameters are evaluated before anything is sent: a failing expression must not fail an
					// item whose request was executed.
					if (operation.runBatch && shapesOutput(operation))
						recordShapers.set(call, recordShaperOf(operation, call.simplifies));
					const names = call.selectedFields;
					if (names) selections.set(call, names);
					const { values } = call;
					const output = await sharedResults.get(
						call.shareKey,
						async () => await run(values, call),
					);
					if (releasesValues) call.releaseValues();
					return output;
				},
				{
					concurrency: concurrencyOf(calls, operation),
					lockKeyOf,
					stopsAfter: (call) => !continueOnFail || isCancelled(call),
				},
			),
		// `pairedItem` is an empty list, because n8n 2.41.1 pairs items without `pairedItem` by their position if there are
		// as many as input items (n8n-core, workflow-execute.js).
		addUnpaired: (json) => unpaired.push({ json, pairedItem: [] }),
	};
	const results = operation.runBatch
		? await operation.runBatch(batch)
		: await batch.each(processItemOnce);
	traceRun(context, stats, Array.isArray(results) ? results : []);
	if (!Array.isArray(results)) return results;
	const failureHandling = {
		continueOnFail,
		isOneOfMany: calls.length > 1,
		note: continueOnFail ? undefined : stopNote(operation, results, calls.length),
	};
	const items = results.map((result, index) => {
		const call = calls[index]!;
		// Records are shaped here and not in `runBatch`, because a parked execution stores them as they came.
		return toItems(result, call, failureHandling, recordShapers.get(call));
	});
	if (operation.lookUp) await lookUp(operation, results, items, calls);
	for (const [call, names] of selections) {
		const result = results[call.itemIndex];
		if (result && 'items' in result) selectFields(items[call.itemIndex]!, names);
	}
	return [[...items.flat(), ...unpaired]];
}

function selectFields(items: INodeExecutionData[], names: string[]): void {
	for (const item of items) item.json = pickFields(names, item.json);
}

/**
 * Adds looked-up data to the simplified records of all items. The operation has finished by then, so a failed lookup only
 * adds a hint next to the output. The first failure ends the lookup: the data is not essential, and waiting for it would
 * delay the output.
 */
async function lookUp(
	operation: Operation,
	results: ItemResult[],
	items: INodeExecutionData[][],
	calls: CallWithValues[],
): Promise<void> {
	const { lookUp: findFields, simplify: names = [] } = operation;
	const addFields = async (call: CallWithValues): Promise<Output> => {
		const result = results[call.itemIndex];
		const itemOutput = items[call.itemIndex] ?? [];
		if (!findFields || !result || 'error' in result || !call.simplifies) return [];
		const fieldsFor = await findFields(
			itemOutput.map(({ json }) => json),
			call.values,
			call,
		);
		for (const item of itemOutput) {
			const fields = fieldsFor(item.json);
			if (fields) item.json = pickFields(names, { ...item.json, ...fields });
		}
		return [];
	};
	const lookups = await runEach(calls, addFields, {
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
		call.hint(`Some names couldn't be looked up. ${message}`);
		return;
	}
}

function concurrencyOf(calls: ItemCall[], operation: Operation): number {
	const defaultLimit = defaultConcurrency(operation);
	try {
		return Math.floor(
			clampNumber(calls[0]?.option('itemsAtATime'), { min: 1, max: 100, fallback: defaultLimit }),
		);
	} catch {
		// An expression that fails for the first item must fail only that item. It does so when the item runs.
		return defaultLimit;
	}
}

/**
 * Returns the key that items of this execution lock on. This is the key of a shared result, so that later items wait for the
 * first; without one, it is the operation's `lockKey`. An item whose parameters cannot be read gets no key; it fails when it
 * runs.
 */
function lockKeyOf(call: CallWithValues): string | undefined {
	try {
		return call.shareKey ?? call.operation.lockKey?.(call.values, call);
	} catch {
		return undefined;
	}
}

const isCancelled = (call: ItemCall) => call.context.getExecutionCancelSignal()?.aborted === true;

/** Processes one item, unless an earlier try (n8n's Retry On Fail) has finished it. */
async function processItemOnce(values: Values, call: ItemCall): Promise<Output> {
	return await call.journal.runOnce(async () => await processItem(values, call));
}

async function processItem(values: Values, call: ItemCall): Promise<Output> {
	const { operation } = call;
	const shapeRecord = recordShaperOf(operation, call.simplifies);
	const shapeOutput = (output: Output) =>
		Array.isArray(output) ? output.map(shapeRecord) : shapeRecord(output);
	if (operation.run) {
		const output = await runLocked(operation.run, values, call);
		const isLimitedList = operation.returnsList && Array.isArray(output);
		return shapeOutput(
			isLimitedList ? orEmptyItem(output.slice(0, call.recordLimit), call) : output,
		);
	}
	const request = await call.buildRequest();
	if (operation.paging) return await getMany(call, request, shapeRecord);
	const response = await call.send(request);
	return shapeOutput(
		operation.output
			? await operation.output(response, values, call)
			: recordOrSent(response, request.json, request.path),
	);
}

/**
 * Runs the operation under its lock key, so that only one execution of this process runs it at a time. Items of the same
 * execution are already queued by `runEach`.
 */
async function runLocked(
	run: NonNullable<Operation['run']>,
	values: Values,
	call: ItemCall,
): Promise<Output> {
	const lockKey = call.operation.lockKey?.(values, call);
	if (lockKey === undefined) return await run(values, call);
	const signal = call.context.getExecutionCancelSignal();
	return await processLock.runExclusive(lockKey, async () => await run(values, call), signal);
}

/** Reads a list up to Limit, or to its end with Return All, and simplifies each page as it arrives. */
async function getMany(
	call: ItemCall,
	request: Request,
	shapeRecord: RecordShaper,
): Promise<IDataObject[]> {
	const { operation, client } = call;
	const records: IDataObject[] = [];
	const pages = readPages(client, request, {
		paging: operation.paging ?? {},
		limit: call.recordLimit,
		max: {
			records:
				call.recordLimit === Infinity
					? Math.floor(
							clampNumber(call.option('mostRecords'), {
								min: 1,
								max: Infinity,
								fallback: DEFAULT_MAX_RECORDS,
							}),
						)
					: Infinity,
		},
		pageConcurrency:
			call.recordLimit === Infinity
				? Math.floor(
						clampNumber(call.option('pagesAtATime'), {
							min: 1,
							max: MAX_PAGE_CONCURRENCY,
							fallback: 1,
						}),
					)
				: 1,
		warn: (message) => call.hint(message),
	});
	for await (const page of pages) {
		for (const record of page) records.push(shapeRecord(record));
	}
	return orEmptyItem(records, call);
}

/** Returns one empty record in place of none, if the user wants the workflow to continue without results. */
const orEmptyItem = (records: IDataObject[], call: ItemCall): IDataObject[] =>
	records.length === 0 && call.option('returnEmptyItem') === true ? [{}] : records;

function toItems(
	result: ItemResult | undefined,
	call: ItemCall,
	{
		continueOnFail,
		...errorContext
	}: { continueOnFail: boolean; isOneOfMany: boolean; note?: string },
	shapeRecord: RecordShaper = (record) => record,
): INodeExecutionData[] {
	const pairedItem = { item: call.itemIndex };
	if (!result) return [];
	if ('items' in result)
		return result.items.map((record) => ({ json: shapeRecord(record), pairedItem }));
	const node = call.context.getNode();
	if (isCancelled(call))
		throw new NodeOperationError({ ...node, parameters: {} }, 'The execution was canceled');
	const error = toNodeError(node, result.error, call.itemIndex, call.secrets(), errorContext);
	if (!continueOnFail) throw error;
	// For an agent, `toNodeError` has put the description into the message.
	const details = error.description && !isTool(node) ? { details: error.description } : {};
	// The item has no member `error`, because n8n 2.41.1 would then replace `json` with the bare message (n8n-core,
	// workflow-execute.js: `normalizeNodeErrors`). `details`, and the input fields that n8n merges into items of the error
	// branch, would be lost.
	return [{ json: { error: error.message, ...details }, pairedItem }];
}
