import { shownIf } from '../field';
import type { Field } from '../field';

const forTools = { show: { '@tool': [true] } };

/**
 * Returns a copy of a field for the operation that n8n also turns into a human review. In a review, the fields that select
 * an agent's output have no effect, so they are hidden. n8n 2.41.1 adds the parameter `descriptionType` to tools and not to
 * reviews (dist/tool-generation/ai-tools.js, hitl-tools.js). The slash is needed: n8n 2.20 and older cannot publish a
 * workflow with a node that has a condition on a missing parameter, except at the top level.
 */
export const hiddenInReview = (field: Field): Field =>
	field.displayOptions?.show?.['@tool']
		? shownIf(field, { '/descriptionType': [{ _cnd: { exists: true } }] })
		: field;

/** Parameter of operations with `simplify`. */
export const simplifyField: Field = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/**
 * Returns the parameters that select the output fields. For an agent's tool n8n expects one choice, Output, instead of
 * Simplify. Output saves tokens, which the workflow's owner pays for.
 */
export const outputFields = (names: readonly string[]): Field[] => [
	{ ...simplifyField, displayOptions: { hide: forTools.show } },
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'Raw', value: 'raw', description: 'All that the service returns' },
			{ name: 'Selected Fields', value: 'selectedFields', description: 'Only what you choose' },
			{ name: 'Simplified', value: 'simplified', description: 'What people mostly need' },
		],
		default: 'simplified',
		description: 'How much of each record the agent gets',
		displayOptions: forTools,
	},
	{
		displayName: 'Fields',
		name: 'selectedFields',
		type: 'multiOptions',
		options: [...names]
			.sort((a, b) => a.localeCompare(b, 'en'))
			.map((name) => ({ name, value: name })),
		default: [],
		description: 'If you choose none, the agent gets the simplified record',
		displayOptions: { show: { ...forTools.show, output: ['selectedFields'] } },
	},
];
