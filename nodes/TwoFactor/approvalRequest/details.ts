import type { Field } from '../../engine/operation';
import { fromJson, fromRows, nameAndValueRows } from './rows';

/** What the user sees beside the question, as rows or as JSON. */
export const details: Field[] = [
	{
		displayName: 'Specify Details',
		name: 'specifyDetails',
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'rows' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'rows',
		description: 'How to give the details that the user sees beside the message',
	},
	nameAndValueRows({
		displayName: 'Details',
		name: 'details',
		description: 'Names and values that the user sees beside the message',
		displayOptions: { show: { specifyDetails: ['rows'] } },
		target: { in: 'body', value: (given) => fromRows('Details', given) },
	}),
	{
		displayName: 'Details',
		name: 'detailsJson',
		type: 'json',
		default: '{}',
		description: 'Names and values that the user sees beside the message, as a JSON object',
		displayOptions: { show: { specifyDetails: ['json'] } },
		target: {
			in: 'body',
			as: 'details',
			value: (given, call) => fromJson('Details', given, call),
		},
	},
];

/** What stays hidden from the user and comes back with the decision, as rows, as JSON or as both. */
export const hiddenDetails: Field[] = [
	nameAndValueRows({
		displayName: 'Hidden Details',
		name: 'hiddenDetails',
		description:
			'Names and values that the service keeps with the request and the user does not see',
		target: {
			in: 'body',
			as: 'hidden_details',
			value: (given) => fromRows('Hidden Details', given),
		},
	}),
	{
		displayName: 'Hidden Details (JSON)',
		name: 'hiddenDetailsJson',
		type: 'json',
		default: '{}',
		description: 'The same as a JSON object, instead of rows or in addition to them',
		target: {
			in: 'body',
			as: 'hidden_details',
			value: (given, call) => {
				const json = fromJson('Hidden Details (JSON)', given, call);
				const rows = fromRows('Hidden Details', call.option('hiddenDetails'));
				return json && { ...rows, ...json };
			},
		},
	},
];
