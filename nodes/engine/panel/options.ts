import type { Field } from '../field';
import type { Operation } from '../operation';
import { canShareResult, onlyReads } from '../operationTraits';

const READ_CONCURRENCY = 10;
const WRITE_CONCURRENCY = 1;

/**
 * Returns how many items are processed at once by default. Writes are sequential, unless the operation sets
 * `writesConcurrently`.
 */
export const defaultConcurrency = (operation: Operation): number =>
	onlyReads(operation) || operation.writesConcurrently ? READ_CONCURRENCY : WRITE_CONCURRENCY;

/** Options of the HTTP client; every operation has them. */
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

/** Option of operations whose items may share a response. */
const askOnce: Field = {
	displayName: 'Ask Once for Equal Items',
	name: 'askOnce',
	type: 'boolean',
	default: false,
	description:
		'Whether items with the same parameters share one request, e.g. if many people have the same event. Every item still gets the result.',
};

/**
 * Returns the options that the engine adds to an operation. Each option's `default` also applies if the user does not add the
 * option.
 */
export const sharedOptions = (operation: Operation): Field[] => [
	{
		displayName: 'Max Concurrent Items',
		name: 'itemsAtATime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: defaultConcurrency(operation),
		description: 'How many items to process at once',
	},
	...(canShareResult(operation) ? [askOnce] : []),
	...sendFields,
];

const defaultOf = (name: string) =>
	Number(sendFields.find((field) => field.name === name)!.default);

/** Values that apply to options that the user did not add; times in seconds. */
export const sharedOptionDefaults = {
	tries: defaultOf('tries'),
	longestWait: defaultOf('longestWait'),
	timeLimit: defaultOf('timeLimit'),
	readConcurrency: READ_CONCURRENCY,
};
