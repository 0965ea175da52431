import type { FlowNode } from '../../lab/drive/flows';

/** A node of the pack, with the lab's credential. */
export const gatehouseNode = (
	name: string,
	type: 'eventRegistration' | 'twoFactor',
	parameters: object,
): FlowNode => ({
	name,
	type: `n8n-nodes-gatehouse.${type}`,
	credentials: { [`${type}Api`]: {} },
	parameters,
});

/** The HTTP Request node, the alternative to the pack's nodes. */
export const httpRequestNode = (
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

/** Parameters of the HTTP Request node that send a JSON body. */
export const jsonBodyParameters = (jsonBody: string) => ({
	sendBody: true,
	specifyBody: 'json',
	jsonBody,
});

/** Records in a page of the services. */
export const PAGE_SIZE = 200;

/** The HTTP Request node's own paging, as its panel offers it for a service that counts pages. */
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

/** The If node with one condition. */
export const ifNode = (condition: {
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

/** Outputs one item with an `id` for each entry of a list in its input. */
export const splitNode = (field: string): FlowNode => ({
	name: 'Split Out',
	type: 'n8n-nodes-base.splitOut',
	parameters: { fieldToSplitOut: field, options: { destinationFieldName: 'id' } },
});

/** Counts the items, and the different values of a field: outputs `count_<field>` and `unique_count_<field>`. */
export const countNode = (field: string): FlowNode => ({
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

/** Throws unless a `countNode` has counted this many items, all different. */
export function requireAllDifferent(
	output: Record<string, unknown>,
	field: string,
	expected: number,
): void {
	const [all, different] = [output[`count_${field}`], output[`unique_count_${field}`]];
	if (all === expected && different === expected) return;
	throw new Error(`Expected ${expected} different items: ${JSON.stringify(output)}`);
}
