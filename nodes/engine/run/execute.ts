import type { EngineRequest, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { BadInput, toNodeError } from '../errors';
import { stopOnError } from '../n8n/nodeOutputs';
import { isReview, isTool } from '../n8n/toolVariants';
import type { Catalog, ItemCall, Operation } from '../operation';
import { onlyReads } from '../operationTraits';
import { chosenOperation, createItemCalls } from './call';
import type { ItemCalls } from './call';
import { errorItemFactory } from './failedItems';
import { toBranches } from './output';
import { isCanceled, runItems } from './runItems';

/**
 * Runs the chosen operation for all input items. Reads run concurrently, and writes sequentially, unless the operation or
 * the user sets otherwise. The output has the order of the input and is paired with it. A failed item ends the run. If the
 * user chose to continue ('On Error'), its output is an item with the error instead, which n8n moves to the error output if
 * there is one. A failure of the whole run is then the failure of every item: if `execute` throws, n8n outputs the input as if
 * it were the result.
 *
 * `noRepeatAdvice` holds the advice for items that had an effect before this run, by item index.
 */
export async function execute(
	context: IExecuteFunctions,
	service: Catalog,
	noRepeatAdvice: readonly string[] = [],
): Promise<INodeExecutionData[][] | EngineRequest> {
	// The human review of a tool call reports every failure to the agent in one place (`review/agentMessages`), so errors must throw.
	const continueOnFail = context.continueOnFail() && !isReview(context.getNode());
	let operation: Operation | undefined;
	let run: ItemCalls;
	try {
		operation = chosenOperation(context, service);
		run = await createItemCalls(context, service, operation);
	} catch (error) {
		if (operation === undefined && isErrorOutputUnknown(context.getNode(), service))
			stopOnError(context);
		else if (continueOnFail && !isCanceled(context))
			return failAllItems(context, service, operation, (index) =>
				withAdvice(error, noRepeatAdvice[index]),
			);
		const advice = noRepeatAdvice.filter(Boolean).join(' ');
		throw toNodeError(context.getNode(), withAdvice(error, advice), undefined);
	}
	try {
		return await runItems(context, service, operation, run, continueOnFail);
	} catch (error) {
		if (!continueOnFail || isCanceled(context))
			throw toNodeError(context.getNode(), error, undefined, run.calls[0]?.secrets());
		const failure = withAdvice(error, onlyReads(operation) ? '' : MAY_HAVE_SENT);
		return failAllItems(context, service, operation, () => failure, run.calls);
	}
}

/**
 * Whether the error output of a node is its second or its third output, depending on the operation. A node whose operation does
 * not exist has one output, so its failures would take the way of an approval.
 */
const isErrorOutputUnknown = (node: INode, { resources }: Catalog): boolean =>
	node.onError === 'continueErrorOutput' &&
	!isTool(node) &&
	Object.values(resources).some(({ operations }) =>
		Object.values(operations).some(({ branches }) => branches !== undefined),
	);

const MAY_HAVE_SENT =
	'Some items may have been processed before this: check them in the service before you run this step again.';

/** Adds advice to the failure of a run. */
const withAdvice = (error: unknown, advice = ''): unknown =>
	advice === '' || !(error instanceof Error)
		? error
		: new BadInput(
				error.message,
				error instanceof BadInput && error.advice ? `${error.advice} ${advice}` : advice,
			);

/** Returns the output of a run in which no item has another result than its failure. */
function failAllItems(
	context: IExecuteFunctions,
	service: Catalog,
	operation: Operation | undefined,
	failureOf: (itemIndex: number) => unknown,
	calls: ItemCall[] = [],
): INodeExecutionData[][] {
	const toErrorItem = errorItemFactory(context, service, operation);
	const input = context.getInputData();
	const failedItems = input.map((_, itemIndex) => {
		const secrets = calls[itemIndex]?.secrets();
		return toErrorItem({ error: failureOf(itemIndex), itemIndex, secrets });
	});
	return operation ? toBranches(context, operation, failedItems) : [failedItems];
}
