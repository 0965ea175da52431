import type { FlowNode } from '../../lab/drive/flows';

/** Creates a node of the pack, with the lab's credential. */
export const createGatehouseNode = (
	name: string,
	type: 'eventRegistration' | 'twoFactor',
	parameters: object,
): FlowNode => ({
	name,
	type: `n8n-nodes-gatehouse.${type}`,
	credentials: { [`${type}Api`]: {} },
	parameters,
});

/** Creates an HTTP Request node, the alternative to the pack's nodes. */
export const createHttpRequestNode = (
	name: string,
	url: string,
	{ headers = {}, ...parameters }: { headers?: Record<string, string>; [more: string]: unknown },
): FlowNode => ({
	name,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		url,
		sendHeaders: true,
		headerParameters: {
			parameters: Object.entries(headers).map(([key, value]) => ({ name: key, value })),
		},
		...parameters,
	},
});

/** Creates the parameters of an HTTP Request node that send a JSON body. */
export const createJsonBody = (jsonBody: string) => ({
	sendBody: true,
	specifyBody: 'json',
	jsonBody,
});

/** Records in a page of the services. */
export const PAGE_SIZE = 200;

/** Parameters of the HTTP Request node's own pagination, for a service with numbered pages. */
export const allPagesParameters = {
	sendQuery: true,
	queryParameters: { parameters: [{ name: 'pageSize', value: `${PAGE_SIZE}` }] },
	options: {
		pagination: {
			pagination: {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
				paginationCompleteWhen: 'other',
				completeExpression: `={{ $response.body.length < ${PAGE_SIZE} }}`,
				limitPagesFetched: false,
				requestInterval: 0,
			},
		},
	},
};

/** Creates an If node with one condition. */
export const createIfNode = (condition: {
	id: string;
	leftValue: string;
	rightValue: string | number;
	operator: { type: string; operation: string };
}): FlowNode => ({
	name: 'If',
	type: 'n8n-nodes-base.if',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			options: { version: 2, typeValidation: 'loose', caseSensitive: true, leftValue: '' },
			combinator: 'and',
			conditions: [condition],
		},
	},
});

/** Creates a node that outputs one item with an `id` for each entry of a list in its input. */
export const createSplitNode = (field: string): FlowNode => ({
	name: 'Split Out',
	type: 'n8n-nodes-base.splitOut',
	parameters: { fieldToSplitOut: field, options: { destinationFieldName: 'id' } },
});

/** Creates a node that counts items and unique values of a field: `count_<field>` and `unique_count_<field>`. */
export const createCountNode = (field: string): FlowNode => ({
	name: 'Count',
	type: 'n8n-nodes-base.summarize',
	typeVersion: 1.1,
	parameters: {
		fieldsToSummarize: {
			values: [
				{ aggregation: 'count', field },
				{ aggregation: 'countUnique', field },
			],
		},
		options: {},
	},
});

/** Throws unless the node of `createCountNode` has counted this many items with unique values. */
export function requireUniqueItems(
	output: Record<string, unknown>,
	field: string,
	expectedCount: number,
): void {
	const [totalCount, uniqueCount] = [output[`count_${field}`], output[`unique_count_${field}`]];
	if (totalCount === expectedCount && uniqueCount === expectedCount) return;
	throw new Error(`Expected ${expectedCount} unique items: ${JSON.stringify(output)}`);
}
