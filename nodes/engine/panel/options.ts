import type { Field } from '../field';

/** The optional settings that every operation of every service offers. */
export const sharedOptions: Field[] = [
	{
		displayName: 'Items at a Time',
		name: 'itemsAtATime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 10,
		description:
			'How many items are sent to the service at the same time. Without this option: 10 when the operation only reads, and one after the other when it changes something.',
	},
	{
		displayName: 'Longest Wait (Seconds)',
		name: 'longestWait',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		default: 60,
		description:
			'The most seconds to wait before another try. If the service asks for a longer pause, the node stops and names the time.',
	},
	{
		displayName: 'Time Limit (Seconds)',
		name: 'timeLimit',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		default: 60,
		description: 'How many seconds one request may take, to the last byte of its answer',
	},
	{
		displayName: 'Tries',
		name: 'tries',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 20 },
		default: 4,
		description:
			'How often a request is sent at most. It is sent again when the service asks to slow down; after a failure of the service only if that cannot do anything twice.',
	},
];

const defaultOf = (name: string) =>
	Number(sharedOptions.find((field) => field.name === name)!.default);

/** What holds where the user sets nothing; seconds where it is a time. */
export const defaults = {
	tries: defaultOf('tries'),
	longestWait: defaultOf('longestWait'),
	timeLimit: defaultOf('timeLimit'),
	readsAtATime: defaultOf('itemsAtATime'),
};
