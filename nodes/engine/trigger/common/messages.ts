import { BadInput, ServiceFailure } from '../../errors';
import type { Service } from '../../http/types';
import { capitalize } from '../../values/capitalize';
import type { IdReport, WatchOptions } from '../../watch';
import { REPEAT_STARTS_FOR_MS } from '../../watch/types';
import type { FollowOptions, ListReport } from '../lists/core';

// Errors that ID triggers and list triggers show to the user, as a failed execution or as the error of publishing or
// testing.

/** Maximum number of IDs that one message lists. */
const MAX_LISTED_IDS = 1000;
const MAX_LISTED_UNRECOGNIZED_IDS = 100;
const HOUR_MS = 3_600_000;

const REPORTED_ONCE = 'This is reported once.';

/** Settings of an ID trigger that its messages depend on. */
export interface IdMessageContext {
	/** The outcomes that start the workflow. */
	readonly outcomes: ReadonlySet<string>;
	readonly watcherOptions: Partial<WatchOptions>;
}

/** Settings and definition of a list trigger that its messages depend on. */
export interface ListMessageContext {
	/** Name of the service, and advice on how to make a list shorter. */
	readonly definition: {
		readonly service: { readonly name: string };
		readonly narrowingAdvice: string;
	};
	readonly followerOptions: Partial<FollowOptions>;
}

/** The trigger cannot start: this n8n ignores deduplication keys, or cannot show reports as failed executions. */
export const n8nTooOldError = () =>
	new BadInput(
		'This trigger needs n8n 2.20 or newer',
		'An older n8n can start the workflow twice for the same ID. Update n8n; until then, use the operation that waits, inside a workflow.',
	);

/** The trigger has no ID to poll, and no webhook to receive one. */
export const nothingToWatchError = () =>
	new BadInput(
		"No IDs to watch: enter one, or turn on 'Accept New IDs by Webhook'",
		'With the webhook on, a node that creates new ones can be connected: choose this trigger there, under Options.',
	);

/** A test run found no record in the named lists. */
export const nothingToShowError = (listNames: string) =>
	new BadInput(
		`There is nothing to show yet: ${listNames}`,
		'A test shows the newest record. Add one in the service, or choose another event or list, and click Execute step again. Once published, the workflow starts for each new change.',
	);

/** Consequences of a rejected credential: while the trigger runs, when it is published, and in a test run. */
const AFTER_REJECTION = {
	running:
		'Once it works, the trigger continues where it was, within about a minute: nothing is lost.',
	publishing: 'Then publish the workflow again.',
	testing: '',
};

/**
 * The service rejects the trigger's credential, or the credential was deleted. `message` is the service's message, or
 * CREDENTIAL_DELETED.
 */
export const credentialRejectedError = (
	message: string,
	{ credentialAdvice = 'Check the credential.' }: Pick<Service, 'credentialAdvice'>,
	phase: keyof typeof AFTER_REJECTION = 'running',
) =>
	new ServiceFailure(message, { advice: `${credentialAdvice} ${AFTER_REJECTION[phase]}`.trim() });

/** Replaces the service's message if the credential was deleted. */
export const CREDENTIAL_DELETED =
	'The credential of this trigger no longer exists: choose another one in the node, and publish the workflow';

/** A published trigger finds no record for a name that the user gave, or several. `message` says which, and what to do. */
export const choiceNotFoundError = (message: string): Error =>
	new BadInput(
		message,
		`Until you publish the change, the trigger follows nothing. It checks from time to time whether the name exists again, and then catches up. ${REPORTED_ONCE}`,
	);

/**
 * Parts of the stored state are not recognized. `dropped` is the number of parts that could not be stored because the limit
 * of characters was reached.
 */
export function stateUnrecognizedError(parts: number, dropped: number, ids: string[]): Error {
	const keptText =
		dropped === 0
			? 'They are kept unchanged'
			: `They are kept unchanged, except ${dropped} for which there is no room,`;
	return new BadInput(
		`${parts === 1 ? 'One part' : `${parts} parts`} of what this trigger had saved can't be read`,
		[
			`${keptText} under "setAside" in the workflow's static data, and the trigger continues with the rest.`,
			'The data is damaged, or a newer version of this package saved it: in that case, install that version again.',
			'IDs that stand only in these parts are no longer watched: send them again. Changes that happened before now may have been missed.',
			REPORTED_ONCE,
			ids.length > 0 && `IDs in these parts: ${formatIds(ids, MAX_LISTED_UNRECOGNIZED_IDS)}`,
		]
			.filter(Boolean)
			.join(' '),
	);
}

/** A list cannot be read when the trigger is published or tested. */
export const listNotReadableError = (
	report: Omit<Extract<ListReport, { kind: 'listFailed' }>, 'kind'>,
): Error => listFailedError(report, '');

/**
 * Returns the error that shows a report of an ID trigger; undefined if none of the reported IDs ended with an outcome that
 * starts the workflow.
 */
export function errorForIdReport(report: IdReport, context: IdMessageContext): Error | undefined {
	const { outcomes, watcherOptions } = context;
	switch (report.kind) {
		case 'unavailable':
			return unavailableError(report.message, 'about once a minute');
		case 'startsRejected':
			return startsRejectedError(report.message);
		case 'unknownState':
			return new ServiceFailure(report.message, { advice: UNKNOWN_STATE_ADVICE });
		case 'startsUnclear': {
			const ids = report.ended.filter(({ outcome }) => outcomes.has(outcome)).map(({ id }) => id);
			const remedy =
				"If it didn't, send the ID to the webhook again, or enter it in the node; if it is there already, remove it, publish, enter it again and publish.";
			return ids.length === 0 ? undefined : startsUnclearError('ID', ids, watcherOptions, remedy);
		}
		case 'idsIgnored':
		case 'idsLate': {
			const ids = report.ended.filter(({ outcome }) => outcomes.has(outcome)).map(({ id }) => id);
			if (ids.length === 0) return undefined;
			return report.kind === 'idsLate'
				? lateError(`${count('ID', ids)} that ended up to ${roundedDuration(report.byMs)} ago`, ids)
				: ignoredError('ID', ids, 'send the ID to the webhook again');
		}
		case 'overloaded':
			return overloadedError(report, watcherOptions);
	}
}

type ListMessage<Kind extends ListReport['kind']> = (
	report: Extract<ListReport, { kind: Kind }>,
	context: ListMessageContext,
) => Error;

const LIST_MESSAGES: { [Kind in ListReport['kind']]: ListMessage<Kind> } = {
	unavailable: ({ message }) => unavailableError(message, 'less and less often'),
	startsRejected: ({ message }) => startsRejectedError(message),
	startsUnclear: ({ ids }, { followerOptions }) =>
		startsUnclearError('change', ids, followerOptions),
	changesIgnored: ({ ids }) => ignoredError('change', ids, 'do by hand what it would have done'),
	changesLate: ({ ids, byMs }) =>
		lateError(`${count('change', ids)} that happened up to ${roundedDuration(byMs)} ago`, ids),
	listFailed: (report) =>
		listFailedError(
			report,
			`The trigger checks from time to time whether this has changed, and keeps following everything else. ${REPORTED_ONCE}`,
		),
	incomplete: ({ list, message }) =>
		new BadInput(`${list.name}: ${message}`, `Some changes may have been missed. ${REPORTED_ONCE}`),
	undated: ({ list, fields }, { definition: { service } }) =>
		new BadInput(
			`${list.name}: the ${service.name} doesn't say when records were created`,
			`Without a date in ${fields.join(' or ')} it's impossible to tell what is new, so new records don't start the workflow. Trigger on updates instead. ${REPORTED_ONCE}`,
		),
	tooManyRecords: ({ list, maxRecords }, { definition: { narrowingAdvice } }) =>
		new BadInput(
			`${list.name}: there are more than ${maxRecords.toLocaleString('en-US')} records to compare`,
			`The service can't be asked for changes, so all records are compared with their earlier state, up to that number. ${narrowingAdvice} Until then, this list isn't followed. ${REPORTED_ONCE}`,
		),
	clockSetBack: ({ byMs }, { definition: { service } }) =>
		new BadInput(
			`The clock of the ${service.name} was set back by ${roundedDuration(byMs)}`,
			`The trigger reads that time again, so no change is missed, and records that it already knows don't start the workflow again. There is nothing to do. ${REPORTED_ONCE}`,
		),
	lateChange: ({ list, byMs }, { definition: { service } }) =>
		new BadInput(
			`${list.name}: a change appeared ${roundedDuration(byMs)} later than its time stamp says`,
			`The clocks of the ${service.name} differ, or it shows changes late. The trigger now reaches back further, and finds changes that are up to two hours late within 15 minutes. If this is usual for your service, increase 'Overlap (Minutes)'. ${REPORTED_ONCE}`,
		),
};

/** Returns the error that shows a report of a list trigger. */
export function errorForListReport<Kind extends ListReport['kind']>(
	report: Extract<ListReport, { kind: Kind }>,
	context: ListMessageContext,
): Error {
	return LIST_MESSAGES[report.kind](report, context);
}

const UNKNOWN_STATE_ADVICE =
	'The trigger keeps checking, and starts the workflow when the service reports an outcome that it knows. This is reported once.';

const unavailableError = (message: string, howOften: string) =>
	new ServiceFailure(message, {
		advice: `The trigger keeps checking, ${howOften}, until the service recovers, and then catches up: nothing is lost. This is reported once, not for every failed request.`,
	});

const startsRejectedError = (message: string) =>
	new BadInput(
		`n8n couldn't start the workflow: ${message}`,
		`The trigger keeps trying, eventually about once a minute: nothing is lost. ${REPORTED_ONCE}`,
	);

/** Lists the IDs: the user needs them to find the executions and to submit an ID again. */
function startsUnclearError(
	noun: 'ID' | 'change',
	ids: string[],
	{ repeatStartsForMs }: { repeatStartsForMs?: number },
	remedy = '',
): Error {
	const reason =
		repeatStartsForMs === 0
			? 'this workflow does not save successful executions, so n8n cannot know which ones have run'
			: `that was more than ${REPEAT_STARTS_FOR_MS / HOUR_MS} hours ago`;
	return new BadInput(
		`It's unclear whether the workflow was started for ${count(noun, ids)}`,
		[
			`n8n stopped while it was being asked to start it, and ${reason}. So it isn't started again, since it might run twice. Check the executions to see whether it ran.`,
			remedy,
			REPORTED_ONCE,
			listIds(ids),
		]
			.filter(Boolean)
			.join(' '),
	);
}

const count = (noun: 'ID' | 'change', ids: string[]) =>
	ids.length === 1 ? `one ${noun}` : `${ids.length} ${noun}s`;

const listIds = (ids: string[]) =>
	`${ids.length === 1 ? 'The ID' : 'The IDs'}: ${formatIds(ids, MAX_LISTED_IDS)}`;

const ignoredError = (noun: 'ID' | 'change', ids: string[], remedy: string) =>
	new BadInput(
		`'Start From Now': the workflow isn't started for ${count(noun, ids)} from before that time`,
		`Check whether it ran for each of them before. If it didn't, ${remedy}. Anything later starts it as usual. ${REPORTED_ONCE} ${listIds(ids)}`,
	);

const lateError = (what: string, ids: string[]) =>
	new BadInput(
		`The workflow is started for ${what}`,
		`n8n was off, the workflow was not published, or the service was unavailable: then there is nothing to do. But if n8n's database was restored from a backup, the workflow may have run for them before: unpublish it, choose the present time under 'Start From Now' in the options of this trigger, and publish it again. ${REPORTED_ONCE} ${listIds(ids)}`,
	);

const overloadedError = (
	{ watched, lateByMs }: Extract<IdReport, { kind: 'overloaded' }>,
	{ intervalMs = 0 }: Partial<WatchOptions>,
) =>
	new BadInput(
		`The trigger watches ${watched} IDs, more than it can check every ${intervalMs / 1000} seconds`,
		`Each is checked about ${Math.ceil(lateByMs / 1000)} seconds late; none is left out. Raise 'Max Concurrent Requests' or 'Polling Interval' in the options. ${REPORTED_ONCE}`,
	);

function listFailedError(
	{ list, isGone, message }: Omit<Extract<ListReport, { kind: 'listFailed' }>, 'kind'>,
	consequence: string,
): Error {
	const withConsequence = (advice: string) => `${advice} ${consequence}`.trim();
	const { name = 'The followed records', missingOwner: owner } = list ?? {};
	if (isGone && owner) {
		return new BadInput(
			`${capitalize(owner.name)} doesn't exist, or this key can't see it`,
			withConsequence(`Choose another ${owner.noun}.`),
		);
	}
	const advice = withConsequence(
		'Check what is chosen in the node, and whether the credential can access it.',
	);
	if (isGone) return new BadInput(`${name} don't exist, or this key can't see them`, advice);
	return new ServiceFailure(list ? `${name}: ${message}` : message, { advice });
}

function formatIds(ids: string[], most: number): string {
	const restNote = ids.length > most ? ` and ${ids.length - most} more` : '';
	return `${ids.slice(0, most).join(', ')}${restNote}`;
}

/** Rounds to minutes or hours; less than a minute counts as one. */
function roundedDuration(ms: number): string {
	const minutes = Math.max(1, Math.round(ms / 60_000));
	if (minutes === 1) return 'a minute';
	return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
