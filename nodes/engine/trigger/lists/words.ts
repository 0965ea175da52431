import { BadInput, ServiceFailure } from '../../errors';
import type { FollowReport } from './core';
import type { FollowSetup } from './setup';

/** How many records one message names. */
const MOST_NAMED = 1000;

const ONCE = 'This is reported once.';

/** What is wrong where a test run finds no record to show. */
export const nothingYet = (what: string) =>
	new BadInput(
		`There is nothing to show yet: ${what}`,
		'A test shows the newest record. Add one in the service, or choose another event or list, and click Execute step again. Once published, the workflow starts for each new change.',
	);

type Words<Kind extends FollowReport['kind']> = (
	report: Extract<FollowReport, { kind: Kind }>,
	setup: Pick<FollowSetup, 'followable' | 'following'>,
) => Error;

const sick: Words<'sick'> = ({ message }) =>
	new ServiceFailure(message, {
		advice: `The trigger keeps checking less and less often until the service recovers, and then catches up: nothing is lost. ${ONCE}`,
	});

const GOES_ON =
	'The trigger checks from time to time whether this has changed, and keeps following everything else.';

/** What is wrong with a list when the trigger is switched on, or tried out; `then` tells what continues nevertheless. */
export function notStarted(
	{ source, gone, message }: Omit<Extract<FollowReport, { kind: 'lost' }>, 'kind'>,
	{ followable: { service } }: Pick<FollowSetup, 'followable'>,
	then = '',
): Error {
	const name = source?.name ?? 'What the trigger follows';
	const advice =
		`Check what is chosen in the node, and whether the credential can access it. ${then}`.trim();
	if (gone)
		return new BadInput(`${name}: the ${service.name} doesn't know it, or no longer does`, advice);
	return new ServiceFailure(source ? `${name}: ${message}` : message, { advice });
}

const lost: Words<'lost'> = (report, setup) => notStarted(report, setup, `${GOES_ON} ${ONCE}`);

const incomplete: Words<'incomplete'> = ({ source, message }) =>
	new BadInput(`${source.name}: ${message}`, `Some changes may have been missed. ${ONCE}`);

const undated: Words<'undated'> = ({ source, fields }, { followable: { service } }) =>
	new BadInput(
		`${source.name}: the ${service.name} doesn't say when records were created`,
		`Without a date in ${fields.join(' or ')} it's impossible to tell what is new, so new records don't start the workflow. Trigger on updates instead. ${ONCE}`,
	);

const tooMany: Words<'tooMany'> = ({ source, most }, { followable: { narrower } }) =>
	new BadInput(
		`${source.name}: there are more than ${most.toLocaleString('en-US')} records to compare`,
		`The service can't be asked for changes, so all records are compared with their earlier state, up to that number. ${narrower} Until then, this list isn't followed. ${ONCE}`,
	);

const lasting = (ms: number): string => {
	const minutes = Math.max(1, Math.round(ms / 60_000));
	if (minutes === 1) return 'a minute';
	return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
};

const setBack: Words<'setBack'> = ({ byMs }, { followable: { service } }) =>
	new BadInput(
		`The clock of the ${service.name} was set back by ${lasting(byMs)}`,
		`The trigger reads that time again, so no change is missed, and records that it already knows don't start the workflow again. There is nothing to do. ${ONCE}`,
	);

const behind: Words<'behind'> = ({ source, byMs }, { followable: { service } }) =>
	new BadInput(
		`${source.name}: a change appeared ${lasting(byMs)} later than its time stamp says`,
		`The clocks of the ${service.name} differ, or it shows changes late. The trigger now reaches back further, and finds changes that are up to two hours late within 15 minutes. If this is usual for your service, increase 'Overlap (Minutes)'. ${ONCE}`,
	);

const unclear: Words<'unclear'> = ({ ids }, { following: { startAgainForMs } }) => {
	const named = ids.slice(0, MOST_NAMED).join(', ');
	const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
	const why =
		startAgainForMs === 0
			? 'this workflow does not save successful executions, so n8n cannot know which ones have run'
			: 'that was more than 72 hours ago';
	return new BadInput(
		`It's unclear whether the workflow was started for ${ids.length === 1 ? 'one change' : `${ids.length} changes`}`,
		`n8n stopped while it was being asked to start it, and ${why}. So it isn't started again, since it might run twice. Check the executions to see whether it ran. ${ONCE} The IDs: ${named}${more}`,
	);
};

const unstarted: Words<'unstarted'> = ({ message }) =>
	new BadInput(
		`n8n couldn't start the workflow: ${message}`,
		`The trigger keeps trying, eventually about once a minute. Nothing is lost. ${ONCE}`,
	);

const WORDS: { [Kind in FollowReport['kind']]: Words<Kind> } = {
	sick,
	lost,
	incomplete,
	undated,
	tooMany,
	setBack,
	behind,
	unclear,
	unstarted,
};

/** What a report says to people. */
export function wordsFor<Kind extends FollowReport['kind']>(
	report: Extract<FollowReport, { kind: Kind }>,
	setup: Pick<FollowSetup, 'followable' | 'following'>,
): Error {
	return WORDS[report.kind](report, setup);
}
