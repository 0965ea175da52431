import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';

import { clampNumber } from '../../values/convert';
import { isRecord } from '../../values/isRecord';
import type { NewId, WatchOptions } from '../../watch';
import { readChoices } from '../common/choice';
import { keepsDeduplicationKeys } from '../common/n8nSupport';
import { readStartFrom } from '../common/startFrom';
import type { IdTriggerDefinition } from './idTriggerDefinition';
import { defaults, limits } from './properties';
import { idsInNode } from './webhook/intake';

/** How long a test run waits for the first ID to end before it returns the present state. */
const TEST_LIMIT_MS = 120_000;

/** The node's parameters. */
export interface IdTriggerSettings {
	/** The IDs in the node's own field. */
	enteredIds: NewId[];
	acceptNewIds: boolean;
	outcomes: ReadonlySet<string>;
	watcherOptions: Partial<WatchOptions>;
	options: IDataObject;
	/** Whether the item is simplified. */
	simplifies: boolean;
}

/** Reads the node's parameters. Call it once, when the trigger starts: n8n 2.41.1 evaluates no expressions later. */
export function readSettings(
	context: ITriggerFunctions,
	definition: IdTriggerDefinition,
): IdTriggerSettings {
	// n8n returns an object of names and values for a collection, or an empty value.
	const optionsParameter = context.getNodeParameter('options', {});
	const options = isRecord(optionsParameter) ? optionsParameter : {};
	definition.validateOptions?.(options);
	return {
		enteredIds: idsInNode(context, definition.readSubject),
		acceptNewIds: context.getNodeParameter('acceptNewIds', true) === true,
		outcomes: chosenOutcomes(context.getNodeParameter('outcomes', []), definition),
		watcherOptions: {
			...watchOptionsOf(options, context.getMode() === 'manual'),
			startFrom: readStartFrom(context, options),
			...(!keepsDeduplicationKeys(context) && { repeatStartsForMs: 0 }),
		},
		options,
		simplifies: context.getNodeParameter('simplify', true) !== false,
	};
}

const chosenOutcomes = (value: unknown, { outcomes }: IdTriggerDefinition): Set<string> =>
	readChoices(value, outcomes, {
		noneChosen: 'No outcome starts the workflow',
		notOffered: 'is not an outcome',
		field: 'Trigger On',
	});

function watchOptionsOf(options: IDataObject, isTest: boolean): Partial<WatchOptions> {
	const hours = clampNumber(options.stopAfterHours, {
		min: 0,
		max: limits.stopAfterHours,
		fallback: defaults.stopAfterHours,
	});
	const limitMs = hours > 0 ? hours * 3_600_000 : undefined;
	const maxWatched = clampNumber(options.mostWatched, {
		min: 1,
		max: limits.mostWatched,
		fallback: defaults.mostWatched,
	});
	const inFlight = clampNumber(options.requestsAtATime, {
		min: 1,
		max: limits.requestsAtATime,
		fallback: defaults.requestsAtATime,
	});
	return {
		intervalMs:
			1000 *
			clampNumber(options.checkEvery, {
				min: 1,
				max: limits.checkEvery,
				fallback: defaults.checkEvery,
			}),
		maxInFlight: Math.floor(inFlight),
		maxWatched: Math.floor(maxWatched),
		maxWaitMs: isTest ? Math.min(limitMs ?? Infinity, TEST_LIMIT_MS) : limitMs,
	};
}
