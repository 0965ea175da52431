import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { startFrom } from '../common/startFrom';

/** Limits of the options: intervals in seconds, the overlap in minutes. */
export const followLimits = {
	minIntervalSeconds: 10,
	maxIntervalSeconds: 86_400,
	maxOverlapMinutes: 1440,
};

const pollingInterval: INodeProperties = {
	displayName: 'Polling Interval (Seconds)',
	name: 'pollingInterval',
	type: 'number',
	typeOptions: {
		minValue: followLimits.minIntervalSeconds,
		maxValue: followLimits.maxIntervalSeconds,
	},
	default: 60,
	description: 'Time between checks of the service, at least 10 seconds',
};

const includeExisting: INodeProperties = {
	displayName: 'Include Existing Records',
	name: 'includeExisting',
	type: 'boolean',
	default: false,
	description:
		'Whether existing records also start the workflow when you publish it for the first time. If off, only later changes do.',
};

const together: INodeProperties = {
	displayName: 'Batch Changes',
	name: 'together',
	type: 'boolean',
	default: false,
	description:
		'Whether all changes found in one check start the workflow once, as several items. If n8n crashes at that moment, they may start it again; with one execution per change (the default), they never do.',
};

/** The overlap of polls, for services that filter by 'changed since'. */
export const overlap: INodeProperties = {
	displayName: 'Overlap (Minutes)',
	name: 'overlap',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: followLimits.maxOverlapMinutes },
	default: 2,
	description:
		'How far each check reaches back before the previous one. Changes that the service reports later than that are missed; changes reported twice start the workflow once.',
};

/** Values of options that are not set. */
export const followDefaults = {
	pollingInterval: Number(pollingInterval.default),
	overlap: Number(overlap.default),
};

/**
 * The events that start the workflow. n8n 2.41.1 lists each option as an action in the nodes panel, because the field is called
 * "Trigger On".
 */
export const triggerOn = (options: INodePropertyOptions[], initial: string): INodeProperties => ({
	displayName: 'Trigger On',
	name: 'triggerOn',
	type: 'multiOptions',
	options,
	default: [initial],
	required: true,
});

/** The options of a trigger that follows lists, sorted by name. */
export const followOptionsProperty = (...further: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [pollingInterval, includeExisting, together, startFrom, ...further].sort((a, b) =>
		a.displayName.localeCompare(b.displayName, 'en'),
	),
});
