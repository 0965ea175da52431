import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { simplifyField } from '../../panel/output';
import { toProperty } from '../../panel/properties';
import { startFrom } from '../common/startFrom';
import type { IdTriggerDefinition } from './idTriggerDefinition';

/** Upper limits of the options. */
export const limits = {
	requestsAtATime: 100,
	mostWatched: 100_000,
	checkEvery: 3,
	stopAfterHours: 24 * 366,
};

const options: INodeProperties[] = [
	{
		displayName: 'Max Concurrent Requests',
		name: 'requestsAtATime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: limits.requestsAtATime },
		default: 10,
		description: 'How many requests to the service may be under way at the same time',
	},
	{
		displayName: 'Max Watched IDs',
		name: 'mostWatched',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: limits.mostWatched },
		default: 10000,
		description: 'Above this, the webhook answers 429 (too many requests)',
	},
	{
		displayName: 'Polling Interval (Seconds)',
		name: 'checkEvery',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: limits.checkEvery },
		default: 2,
		description: 'Seconds between checks of the same ID (1 to 3)',
	},
	{
		displayName: 'Stop Watching After (Hours)',
		name: 'stopAfterHours',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: limits.stopAfterHours },
		default: 168,
		description: 'The workflow then runs with the outcome stillOutstanding. 0 means no limit.',
	},
];

const defaultOf = (name: string) => Number(options.find((option) => option.name === name)!.default);

/** Values of options that the user does not set. */
export const defaults = {
	checkEvery: defaultOf('checkEvery'),
	requestsAtATime: defaultOf('requestsAtATime'),
	mostWatched: defaultOf('mostWatched'),
	stopAfterHours: defaultOf('stopAfterHours'),
};

/**
 * How to add IDs from another app. The command has only double quotes, so that it works in every shell. Lists and links are
 * the only HTML that n8n's notices render.
 */
const CURL_NOTICE =
	'To add IDs from another app, put the webhook URL and the Trigger Secret of the credential into this line:<ul><li>curl -X POST "WEBHOOK_URL" -H "Content-Type: application/json" -H "X-Gatehouse-Secret: TRIGGER_SECRET" -d "{\\"ids\\": [\\"ID\\"]}"</li></ul>';

/** Explains in two steps how the trigger receives IDs, and how to test it. n8n's notices have no numbered lists. */
const connectNotice = (
	{ noun, createdBy }: Pick<IdTriggerDefinition, 'noun' | 'createdBy'>,
	ids: string,
) =>
	`Two steps connect it:<ul><li>Step 1: publish this workflow.</li><li>Step 2: in ${createdBy}, add the option 'Trigger' and choose this trigger from the list.</li></ul>This workflow then runs once for each ${noun} made there. To test it before, enter an ID under '${ids}' and click Execute step.`;

/** Shows fields that only apps other than n8n need. Most users connect a node of this pack, and do not need these fields. */
const forOtherApps = { show: { acceptNewIds: [true], fromOtherApps: [true] } };

const OPEN_TO_ALL =
	"Anyone who knows the webhook URL can add IDs and so start this workflow: see 'Accept From Anyone' under 'Add IDs From Other Apps'.";

const onlyForNodes = (conditions: NonNullable<IDisplayOptions['show']> = {}): IDisplayOptions => ({
	show: { acceptNewIds: [true], fromOtherApps: [false], ...conditions },
});

const path: INodeProperties = {
	displayName: 'Path',
	name: 'path',
	type: 'string',
	default: 'watch',
	required: true,
	placeholder: 'e.g. watch',
	description: 'Last part of the webhook URL',
};

const acceptFromAnybody: INodeProperties = {
	displayName: 'Accept From Anyone',
	name: 'acceptFromAnybody',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether anyone who knows the webhook URL can add IDs, with data of their choice, and so start this workflow. Has no effect if the credential has a Trigger Secret, which is the better way.',
};

/**
 * Returns the properties of a trigger: how to connect it, which outcomes start the workflow, which IDs it watches, and
 * whether it receives more; then rarely needed options, and fields that only other apps need.
 */
export function idTriggerProperties(
	definition: Pick<IdTriggerDefinition, 'noun' | 'createdBy' | 'outcomes'>,
	ids: INodeProperties,
	furtherOptions: INodeProperties[] = [],
): INodeProperties[] {
	const { outcomes } = definition;
	return [
		{
			displayName: connectNotice(definition, ids.displayName),
			name: 'connectNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { acceptNewIds: [true] } },
		},
		{
			displayName: 'Trigger On',
			name: 'outcomes',
			type: 'multiOptions',
			options: outcomes,
			default: [...outcomes.map(({ value }) => `${value}`)],
			required: true,
			description: 'Each ID starts the workflow once at most. A test run shows any outcome.',
		},
		ids,
		{
			displayName: 'Accept New IDs by Webhook',
			name: 'acceptNewIds',
			type: 'boolean',
			noDataExpression: true,
			default: true,
			description:
				"Whether other workflows and apps can add IDs by POSTing to this node's webhook URL",
		},
		toProperty(simplifyField),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [...options, startFrom, ...furtherOptions].sort((a, b) =>
				a.displayName.localeCompare(b.displayName, 'en'),
			),
		},
		{
			displayName: 'Add IDs From Other Apps',
			name: 'fromOtherApps',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description:
				'Whether to show how an app other than n8n adds IDs. Nodes of this pack need none of it: choose this trigger there.',
			displayOptions: { show: { acceptNewIds: [true] } },
		},
		{ ...path, displayOptions: forOtherApps },
		// The hidden field keeps the value, so hiding it changes neither the webhook's URL nor who may call it.
		{ ...path, type: 'hidden', displayOptions: onlyForNodes() },
		{ ...acceptFromAnybody, displayOptions: forOtherApps },
		{ ...acceptFromAnybody, type: 'hidden', displayOptions: onlyForNodes() },
		{
			displayName: OPEN_TO_ALL,
			name: 'openNotice',
			type: 'notice',
			default: '',
			displayOptions: onlyForNodes({ acceptFromAnybody: [true] }),
		},
		{
			displayName: CURL_NOTICE,
			name: 'webhookNotice',
			type: 'notice',
			default: '',
			displayOptions: forOtherApps,
		},
	];
}
