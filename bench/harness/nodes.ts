import type { FlowNode } from '../../lab/drive/flows';

/** A node of the pack, with the lab's credential. */
export const gatehouse = (
	name: string,
	type: 'eventRegistration' | 'twoFactor',
	parameters: object,
): FlowNode => ({
	name,
	type: `n8n-nodes-gatehouse.${type}`,
	credentials: { [`${type}Api`]: {} },
	parameters,
});

/** The HTTP Request node, as people use it in place of the pack. */
export const httpRequest = (
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

/** Makes an item, with its `id`, of each of a list in what came before. */
export const split = (from: string): FlowNode => ({
	name: 'Split Out',
	type: 'n8n-nodes-base.splitOut',
	parameters: { fieldToSplitOut: from, options: { destinationFieldName: 'id' } },
});

/** Says how many items there are, and how many of them differ in a field: `count_` and `unique_count_` before its name. */
export const count = (field: string): FlowNode => ({
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

/** Fails unless so many items came out, each another one. */
export function requireAll(answer: Record<string, unknown>, field: string, wanted: number): void {
	const [all, different] = [answer[`count_${field}`], answer[`unique_count_${field}`]];
	if (all === wanted && different === wanted) return;
	throw new Error(`${wanted} were to come out: ${JSON.stringify(answer)}`);
}
