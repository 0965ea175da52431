import { deepCopy, NodeOperationError } from 'n8n-workflow';
import type {
	EngineRequest,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { toNodeError } from '../errors';
import { MAX_PAGE_CONCURRENCY, DEFAULT_MAX_RECORDS, readPages } from '../http/pages';
import type { Request } from '../http/types';
import type { Batch, Catalog, ItemCall, Operation, Output, ItemResult, Values } from '../operation';
import { defaultConcurrency } from '../panel/options';
import { SharedReads } from '../sharedReads';
import { clampNumber } from '../values/convert';
import type { CallWithValues, ItemCalls } from './call';
import { runEach } from './each';
import { errorItemFactory } from './failedItems';
import { processLock } from './keyedLock';
import { pickFields, recordOrSent, shaperOf, shapesOutput, toBranches } from './output';
import { describeRow } from './rows';
import { stopNote } from './stopNote';
import { traceRun } from './trace';

type RecordShaper = ReturnType<typeof shaperOf>;

/**
 * Runs an operation and returns its output. Records are shaped once (`shaperOf`): in `processItem`, or in `shapeResult`
 * for operations with `runBatch`. Then `lookUp` adds fields and again keeps only the fields of Simplify. The user's field
 * selection is applied last.
 */
export async function runItems(
	context: IExecuteFunctions,
	service: Catalog,
	operation: Operation,
	{ calls, stats }: ItemCalls,
	continueOnFail: boolean,
): Promise<INodeExecutionData[][] | EngineRequest> {
	const recordShapers = new Map<ItemCall, RecordShaper>();
	const selections = new Map<ItemCall, string[]>();
	const sharedOutputs = new SharedReads<Output>({ keepsFailures: true });
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
						recordShapers.set(call, shaperOf(call));
					const names = call.selectedFields;
					if (names) selections.set(call, names);
					const { values, shareKey } = call;
					const runCall = async () => await run(values, call);
					const output =
						shareKey === undefined
							? await runCall()
							: deepCopy(await sharedOutputs.get(batch, shareKey, runCall));
					if (releasesValues) call.releaseValues();
					return output;
				},
				{
					concurrency: concurrencyOf(calls, operation),
					lockKeyOf,
					stopsAfter: () => !continueOnFail || isCanceled(context),
				},
			),
		// `pairedItem` is an empty list, because n8n 2.41.1 pairs items without `pairedItem` by their position if there are
		// as many as input items (n8n-core, workflow-execute.js).
		addUnpaired: (json) => unpaired.push({ json, pairedItem: [] }),
	};
	const rawResults = operation.runBatch
		? await operation.runBatch(batch)
		: await batch.each(processItemOnce);
	traceRun(context, stats, Array.isArray(rawResults) ? rawResults : []);
	if (!Array.isArray(rawResults)) return rawResults;
	// Records are shaped here and not in `runBatch`, because a parked execution stores them as they came.
	const results = rawResults.map((result, index) =>
		shapeResult(result, recordShapers.get(calls[index]!)),
	);
	const items = toOutputItems(context, service, operation, results, calls, continueOnFail);
	if (operation.lookUp) await lookUp(operation, results, items, calls);
	for (const [call, names] of selections) {
		const result = results[call.itemIndex];
		if (result && 'items' in result) selectFields(items[call.itemIndex]!, names);
	}
	return toBranches(context, operation, [...items.flat(), ...unpaired]);
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

/** Processes one item, unless an earlier try (n8n's Retry On Fail) has finished it. */
async function processItemOnce(values: Values, call: ItemCall): Promise<Output> {
	return await call.journal.runOnce(async () => await processItem(values, call));
}

async function processItem(values: Values, call: ItemCall): Promise<Output> {
	const { operation } = call;
	const shapeRecord = shaperOf(call);
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
		note: (message) => call.hint(message),
	});
	for await (const page of pages) {
		for (const record of page) records.push(shapeRecord(record));
	}
	return orEmptyItem(records, call);
}

/** Returns one empty record in place of none, if the user wants the workflow to continue without results. */
const orEmptyItem = (records: IDataObject[], call: ItemCall): IDataObject[] =>
	records.length === 0 && call.option('returnEmptyItem') === true ? [{}] : records;

/** Shapes the records of one item. An item whose records cannot be shaped has failed; the others have not. */
function shapeResult(result: ItemResult, shapeRecord: RecordShaper | undefined): ItemResult {
	if (!shapeRecord || !('items' in result)) return result;
	try {
		return { items: result.items.map(shapeRecord) };
	} catch (error) {
		return { error };
	}
}

/** Returns the output items of each result. Throws the first error, unless the user chose to continue. */
function toOutputItems(
	context: IExecuteFunctions,
	service: Catalog,
	operation: Operation,
	results: ItemResult[],
	calls: ItemCall[],
	continueOnFail: boolean,
): INodeExecutionData[][] {
	const toErrorItem = errorItemFactory(context, service, operation);
	return results.map((result, itemIndex) => {
		const pairedItem = { item: itemIndex };
		if ('items' in result) return result.items.map((json) => ({ json, pairedItem }));
		const node = context.getNode();
		if (isCanceled(context))
			throw new NodeOperationError({ ...node, parameters: {} }, 'The execution was canceled');
		const failed = {
			error: result.error,
			itemIndex,
			secrets: calls[itemIndex]!.secrets(),
		};
		if (continueOnFail) return [toErrorItem(failed)];
		const note = stopNote(operation, results, calls.length);
		const row = describeRow(context.getInputData()[itemIndex]!.json, itemIndex, calls.length);
		throw toNodeError(node, failed.error, itemIndex, failed.secrets, { row, note });
	});
}

/** Whether the user or n8n has canceled the execution. */
export const isCanceled = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;
