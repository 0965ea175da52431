import type { Field } from '../field';

const forTools = { show: { '@tool': [true] } };

/** A shorter record, wherever there is one. */
export const simplifyField: Field = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** How much of a record an agent gets: what it need not read costs its owner money. n8n wants one choice there instead of Simplify. */
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
