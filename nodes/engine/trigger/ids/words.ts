import { BadInput, ServiceFailure } from '../../errors';
import type { Ended, Report } from './core';
import type { Settings } from './settings';

/** How many ids one message names. */
const MOST_NAMED = 1000;

/** What is wrong with a trigger that has nothing to do. */
export const nothingToWatch = () =>
	new BadInput(
		"No IDs to watch: enter one, or turn on 'Accept New IDs by Webhook'",
		'With the webhook on, a node that makes new ones can be connected: choose this trigger there, under Options.',
	);

/** What a report says to people; nothing if there is nothing that they need to know. */
export function wordsFor(report: Report, settings: Settings): Error | undefined {
	if (report.kind === 'sick') return sickness(report.message);
	if (report.kind === 'unclear') return unclear(report.ended, settings);
	return report.kind === 'unstarted' ? unstarted(report.message) : overload(report, settings);
}

/** Who is concerned can do something about these ids only by knowing them. */
function unclear(ended: Ended[], { outcomes, watching }: Settings): Error | undefined {
	const ids = ended.filter(({ outcome }) => outcomes.has(outcome)).map(({ id }) => id);
	if (ids.length === 0) return undefined;
	const named = ids.slice(0, MOST_NAMED).join(', ');
	const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
	const why =
		watching.startAgainForMs === 0
			? 'this workflow does not save successful executions, by which n8n would know those that have run'
			: 'that was more than 72 hours ago';
	return new BadInput(
		`It's unclear whether the workflow was started for ${ids.length === 1 ? 'one ID' : `${ids.length} IDs`}`,
		`n8n was stopped when it was asked to start it, and ${why}. So it is not started again: it might run twice. Check among the executions whether it has run. If not, send the ID to the webhook again, or enter it in the node; if it is there already, remove it, publish, enter it again and publish. This is recorded once. ${ids.length === 1 ? 'The ID' : 'The IDs'}: ${named}${more}`,
	);
}

const unstarted = (message: string) =>
	new BadInput(
		`n8n couldn't start the workflow: ${message}`,
		'The trigger keeps trying, about once a minute in the end. No ID is lost. This is recorded once.',
	);

const sickness = (message: string) =>
	new ServiceFailure(message, {
		advice:
			'The trigger continues and asks less often, about once a minute, until the service recovers. No ID is lost. This is recorded once, not for every failed request.',
	});

const overload = (
	{ watched, lateByMs }: Extract<Report, { kind: 'overloaded' }>,
	{ watching: { intervalMs = 0 } }: Settings,
) =>
	new BadInput(
		`The trigger watches ${watched} IDs, more than it can check every ${intervalMs / 1000} seconds`,
		`Each is checked about ${Math.ceil(lateByMs / 1000)} seconds late, and none is left out. Raise 'Max Concurrent Requests' or 'Polling Interval' in the options. This is recorded once.`,
	);
