import type { Field } from '../field';
import { canShareAnswers, onlyReads } from '../operation';
import type { Operation } from '../operation';

const READ_CONCURRENCY = 10;
const WRITE_CONCURRENCY = 1;

/**
 * How many items are handled at once where the user sets nothing. What changes something goes one by one, unless it is known
 * which items would be in each other's way: those wait, and the others need not.
 */
export const defaultConcurrency = (operation: Operation): number =>
	onlyReads(operation) || operation.lockKey ? READ_CONCURRENCY : WRITE_CONCURRENCY;

/** How requests are sent; options that all operations share. */
const sendFields: Field[] = [
	{
		displayName: 'Max Retry Delay (Seconds)',
		name: 'longestWait',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		default: 60,
		description: 'If the service asks for a longer pause, the node fails and reports it',
	},
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeLimit',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600 },
		default: 60,
		description: 'How long one request may take, including its whole answer',
	},
	{
		displayName: 'Max Attempts',
		name: 'tries',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 20 },
		default: 4,
		description: 'Requests are retried on rate limits, and on failures only when repeating is safe',
	},
];

/** One request for items that would all send the same; an option of what only reads. */
const askOnce: Field = {
	displayName: 'Ask Once for Equal Items',
	name: 'askOnce',
	type: 'boolean',
	default: false,
	description:
		'Whether items with the same parameters share one request, e.g. if many people have the same event. Every item still gets the result.',
};

/** The optional settings that every operation of every service offers, each with the value that holds without it. */
export const sharedOptions = (operation: Operation): Field[] => [
	{
		displayName: 'Max Concurrent Items',
		name: 'itemsAtATime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: defaultConcurrency(operation),
		description: 'How many items to process at once',
	},
	...(canShareAnswers(operation) ? [askOnce] : []),
	...sendFields,
];

const defaultOf = (name: string) =>
	Number(sendFields.find((field) => field.name === name)!.default);

/** What holds where the user sets nothing; seconds where it is a time. */
export const sharedOptionDefaults = {
	tries: defaultOf('tries'),
	longestWait: defaultOf('longestWait'),
	timeLimit: defaultOf('timeLimit'),
	readConcurrency: READ_CONCURRENCY,
};
