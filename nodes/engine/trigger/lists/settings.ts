import type { IDataObject, INodePropertyOptions, ITriggerFunctions } from 'n8n-workflow';

import { BadInput } from '../../errors';
import { NAME_MODE } from '../../panel/locator';
import { clampNumber } from '../../values/convert';
import { isRecord } from '../../values/isRecord';
import { plainText } from '../../values/texts';
import { readChoices } from '../common/choice';
import { keepsDeduplicationKeys } from '../common/n8nSupport';
import { readStartFrom } from '../common/startFrom';
import type { FollowOptions } from './core';
import { followDefaults, followLimits } from './properties';

/** Reads the options that the user set. Call it once, when the trigger starts: n8n 2.41.1 evaluates no expressions later. */
export function readTriggerOptions(context: ITriggerFunctions): IDataObject {
	const set = context.getNodeParameter('options', {});
	return isRecord(set) ? set : {};
}

/** Converts the node's options to the follower's settings. */
export function readFollowOptions(
	context: ITriggerFunctions,
	options: IDataObject,
): Partial<FollowOptions> {
	const { minIntervalSeconds, maxIntervalSeconds, maxOverlapMinutes } = followLimits;
	const seconds = clampNumber(options.pollingInterval, {
		min: minIntervalSeconds,
		max: maxIntervalSeconds,
		fallback: followDefaults.pollingInterval,
	});
	return {
		intervalMs: 1000 * seconds,
		overlapMs:
			60_000 *
			clampNumber(options.overlap, {
				min: 0,
				max: maxOverlapMinutes,
				fallback: followDefaults.overlap,
			}),
		includeExisting: options.includeExisting === true,
		batchesChanges: options.together === true,
		startFrom: readStartFrom(context, options),
		...(!keepsDeduplicationKeys(context) && { repeatStartsForMs: 0 }),
	};
}

/** Reads the kinds of changes selected under 'Trigger On'. */
export const chosenKinds = (
	context: ITriggerFunctions,
	offered: INodePropertyOptions[],
): Set<string> =>
	readChoices(context.getNodeParameter('triggerOn', []), offered, {
		noneChosen: "Nothing is selected under 'Trigger On'",
		notOffered: 'is not something that starts the workflow',
		field: 'Trigger On',
	});

/** Whether a locator holds a name in place of an ID. */
export function holdsName(context: ITriggerFunctions, name: string): boolean {
	const value: unknown = context.getNodeParameter(name, '');
	return isRecord(value) && value.mode === NAME_MODE;
}

/** Reads a text field, trimmed. */
export function chosenText(context: ITriggerFunctions, name: string): string {
	// Without a fallback, n8n throws for a hidden field (2.41.1, `node-execution-context.js` in n8n-core).
	const value: unknown = context.getNodeParameter(name, '');
	return (plainText(isRecord(value) ? value.value : value) ?? '').trim();
}

/** Reads an ID from a field; throws BadInput if it is empty. */
export function chosenId(context: ITriggerFunctions, name: string, label: string): string {
	const id = chosenText(context, name);
	if (id !== '') return id;
	throw new BadInput(`'${label}' is empty`, `Choose it under '${label}'.`);
}
