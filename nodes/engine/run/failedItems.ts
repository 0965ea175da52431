import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { messageWithAdvice, toNodeError } from '../errors';
import type { Catalog, Operation } from '../operation';
import { describeRow } from './rows';

/** The failure of one item, and what its message needs. */
interface FailedItem {
	error: unknown;
	itemIndex: number;
	secrets?: Iterable<string>;
}

/**
 * Returns a function that turns a failed item into an output item, for 'On Error: Continue'. It never throws: n8n 2.41.1 passes
 * the node's input to the success output if `execute` throws (n8n-core, workflow-execute.js: `handleNodeExecutionError`).
 * `operation` is missing if it could not be determined.
 */
export function errorItemFactory(
	context: IExecuteFunctions,
	service: Catalog,
	operation: Operation | undefined,
): (failed: FailedItem) => INodeExecutionData {
	const node = context.getNode();
	const input = context.getInputData();
	return (failed) => {
		const pairedItem = { item: failed.itemIndex };
		try {
			const { itemIndex } = failed;
			const json = input[itemIndex]?.json ?? {};
			const isOnErrorOutput = node.onError === 'continueErrorOutput';
			const dropsInput = isOnErrorOutput && hasResultField(json, service, operation);
			// With its input, the item itself shows which row it is.
			const keepsInput = isOnErrorOutput && !dropsInput;
			const row = keepsInput ? undefined : describeRow(json, itemIndex, input.length);
			return { ...toErrorItem(node, failed, row, dropsInput), pairedItem };
		} catch {
			const error = 'Something unexpected went wrong';
			return { json: { error }, error: bareError(node, error), pairedItem };
		}
	};
}

/**
 * Returns the output item of a failed item. n8n merges the input into an item of the error output, so that workflows can
 * repair and retry it (n8n-core, workflow-execute.js: `handleNodeErrorOutput`). If the item has a member `error`, n8n replaces
 * `json` with the bare message instead (`normalizeNodeErrors`); `dropsInput` makes use of that.
 *
 * `json` has no other field than `error`, which includes the advice: n8n 1.123 to 2.33 do not recognize an item with a field
 * `details` as an error, and put it on the success output.
 */
function toErrorItem(
	node: INode,
	{ error: failure, itemIndex, secrets }: FailedItem,
	row: string | undefined,
	dropsInput: boolean,
): INodeExecutionData {
	const { message, description } = toNodeError(node, failure, itemIndex, secrets, { row });
	const error = messageWithAdvice(message, description ?? '');
	return { json: { error }, ...(dropsInput && { error: bareError(node, error) }) };
}

/** n8n stores the error together with its node, and parameters can hold secrets. */
const bareError = (node: INode, message: string) =>
	new NodeOperationError({ ...node, parameters: {} }, message);

/**
 * Whether an input item has a field that the operation outputs as a result. On the error output, its value would pass for the
 * result of the failed operation. Without an operation, any field may be one.
 */
const hasResultField = (
	input: IDataObject,
	{ keepsRecords }: Catalog,
	operation: Operation | undefined,
): boolean =>
	Object.keys(input).some(
		(name) => !operation || isResultField(name, operation, keepsRecords === true),
	);

/**
 * Fields that state a result are every boolean, the outcome and every status. Other fields are results too, except those that
 * the operation takes, and those of a record: a file to import has columns with the same names, and the user needs the failed
 * rows.
 */
function isResultField(
	name: string,
	{ outputSchema = {}, fields }: Operation,
	keepsRecords: boolean,
): boolean {
	const type = Object.hasOwn(outputSchema, name) ? outputSchema[name] : undefined;
	if (type === 'boolean' || /^outcome$|status$/i.test(name)) return true;
	return type !== undefined && !keepsRecords && fields.every((field) => field.name !== name);
}
