import type { INodeProperties } from 'n8n-workflow';

import type { Watchable } from './watchable';

/** The most that can be chosen. */
export const limits = { requestsAtATime: 100, mostWatched: 100_000, stopAfterHours: 24 * 366 };

const options: INodeProperties[] = [
	{
		displayName: 'Check Every (Seconds)',
		name: 'checkEvery',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3 },
		default: 2,
		description: 'How many seconds lie between two looks at the same ID, from 1 to 3',
	},
	{
		displayName: 'Most Watched IDs',
		name: 'mostWatched',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: limits.mostWatched },
		default: 10000,
		description:
			'How many IDs are watched at most. While there are so many, the webhook answers with 429 (too many requests).',
	},
	{
		displayName: 'Requests at a Time',
		name: 'requestsAtATime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: limits.requestsAtATime },
		default: 10,
		description: 'How many requests to the service may be under way at the same time',
	},
	{
		displayName: 'Stop Watching After (Hours)',
		name: 'stopAfterHours',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: limits.stopAfterHours },
		default: 168,
		description:
			'How many hours an ID is watched at most. Then the workflow starts with the outcome stillOutstanding. 0 watches for as long as it takes.',
	},
];

const defaultOf = (name: string) => Number(options.find((option) => option.name === name)!.default);

/** What holds where the user sets nothing. */
export const defaults = {
	checkEvery: defaultOf('checkEvery'),
	requestsAtATime: defaultOf('requestsAtATime'),
	mostWatched: defaultOf('mostWatched'),
	stopAfterHours: defaultOf('stopAfterHours'),
};

/**
 * How to post from anywhere: with double quotes only, so that it works in every shell. Of HTML, n8n's notices keep lists and
 * links alone.
 */
const CURL =
	'To hand in IDs from elsewhere, put the webhook URL and the Trigger Secret of the credential into this line:<ul><li>curl -X POST "WEBHOOK_URL" -H "Content-Type: application/json" -H "X-Gatehouse-Secret: TRIGGER_SECRET" -d "{\\"ids\\": [\\"ID\\"]}"</li></ul>To test with the IDs that are typed in above, execute the step and send an empty POST to the test URL: the same line, ending in -d "{}".';

/** The panel of a trigger: which ids, from where, which ends start the workflow, and what is rarely needed. */
export function triggerProperties(
	{ noun, outcomes }: Pick<Watchable, 'noun' | 'outcomes'>,
	ids: INodeProperties,
	furtherOptions: INodeProperties[] = [],
): INodeProperties[] {
	return [
		ids,
		{
			displayName: 'Accept New IDs by Webhook',
			name: 'acceptNewIds',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description: `Whether other workflows and applications can hand in IDs while this workflow is published, by a POST to the webhook URL of this node; "data" beside an ID, up to 1 kB, comes out again with its result. The option Trigger URL, where this pack makes a new ${noun}, does that with no more set-up if it uses the same credential. Anybody else needs the Trigger Secret that is set in the credential.`,
		},
		{
			displayName: 'Path',
			name: 'path',
			type: 'string',
			default: 'watch',
			required: true,
			placeholder: 'e.g. watch',
			description: 'The end of the webhook URL',
			displayOptions: { show: { acceptNewIds: [true] } },
		},
		{
			displayName: 'Accept From Anybody',
			name: 'acceptFromAnybody',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description:
				'Whether everybody who knows the webhook URL can hand in IDs, with data of their choice, and so start this workflow. Has no effect where the credential has a Trigger Secret, which is the better way.',
			displayOptions: { show: { acceptNewIds: [true] } },
		},
		{
			displayName: CURL,
			name: 'webhookNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { acceptNewIds: [true] } },
		},
		{
			displayName: 'Outcomes That Start the Workflow',
			name: 'outcomes',
			type: 'multiOptions',
			options: outcomes,
			default: [...outcomes.map(({ value }) => `${value}`)],
			required: true,
			description: `With which ends of a ${noun} the workflow starts. Each ID starts it once at most. A test run shows any outcome.`,
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			description: 'Settings that are rarely needed',
			options: [...options, ...furtherOptions].sort((a, b) =>
				a.displayName.localeCompare(b.displayName, 'en'),
			),
		},
	];
}
