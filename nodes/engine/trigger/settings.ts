import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';

import { BadInput } from '../errors';
import { isRecord, within } from '../values/convert';
import type { NewId, WatchOptions } from '../watch';
import { typedIds } from './intake';
import { defaults, limits } from './properties';
import type { Watchable } from './watchable';

/** How long a test run waits for the first end before it shows the present state. */
const TEST_LIMIT_MS = 120_000;

/** What the user set in the node. */
export interface Settings {
	typed: NewId[];
	acceptNewIds: boolean;
	outcomes: ReadonlySet<string>;
	watching: Partial<WatchOptions>;
	options: IDataObject;
}

/** Reads the node's parameters. To be called once, when the trigger starts: n8n evaluates no expressions later. */
export function readSettings(context: ITriggerFunctions, watchable: Watchable): Settings {
	// A collection is an object of names and values, or nothing.
	const set = context.getNodeParameter('options', {});
	const options = isRecord(set) ? set : {};
	watchable.check?.(options);
	return {
		typed: typedIds(context.getNodeParameter('ids', ''), watchable.subject),
		acceptNewIds: context.getNodeParameter('acceptNewIds', false) === true,
		outcomes: outcomesIn(context.getNodeParameter('outcomes', []), watchable),
		watching: {
			...watchingBy(options, context.getMode() === 'manual'),
			...(!keepsKeys(context) && { startAgainForMs: 0 }),
		},
		options,
	};
}

/**
 * Whether n8n remembers by which ids the workflow was started: that is part of an execution, and gone with it. What n8n does
 * where the workflow leaves that to the instance cannot be seen from here.
 */
function keepsKeys(context: ITriggerFunctions): boolean {
	return context.getWorkflowSettings().saveDataSuccessExecution !== 'none';
}

/** The chosen outcomes; an expression can give them as a list, or as a text with commas. */
function outcomesIn(given: unknown, { outcomes }: Watchable): Set<string> {
	const chosen = [given]
		.flat()
		.flatMap((entry) => (typeof entry === 'string' ? entry.split(',') : [entry]))
		.map((entry) => String(entry ?? '').trim())
		.filter(Boolean);
	const known = outcomes.map(({ value }) => `${value}`);
	const stranger = chosen.find((outcome) => !known.includes(outcome));
	if (chosen.length > 0 && stranger === undefined) return new Set(chosen);
	throw new BadInput(
		stranger === undefined
			? 'No outcome starts the workflow'
			: `"${stranger.slice(0, 40)}" is not an outcome`,
		`Choose at least one under Outcomes That Start the Workflow. An expression can give ${known.join(', ')}.`,
	);
}

function watchingBy(options: IDataObject, test: boolean): Partial<WatchOptions> {
	const hours = within(0, options.stopAfterHours, limits.stopAfterHours, defaults.stopAfterHours);
	const limit = hours > 0 ? hours * 3_600_000 : undefined;
	const most = within(1, options.mostWatched, limits.mostWatched, defaults.mostWatched);
	const inFlight = within(
		1,
		options.requestsAtATime,
		limits.requestsAtATime,
		defaults.requestsAtATime,
	);
	return {
		intervalMs: 1000 * within(1, options.checkEvery, 3, defaults.checkEvery),
		maxInFlight: Math.floor(inFlight),
		maxWatched: Math.floor(most),
		deadlineMs: test ? Math.min(limit ?? Infinity, TEST_LIMIT_MS) : limit,
	};
}
