import type { IDataObject, INodeProperties, ITriggerFunctions } from 'n8n-workflow';

import { BadInput } from '../../errors';
import { toIsoDate } from '../../values/dates';
import { isPublishing } from './triggerSetup';

const LABEL = 'Start From Now';
/** The browser in which the user chose the time may be ahead of n8n's clock by this much. */
const MAX_AHEAD_MS = 60_000;
/**
 * Changes and answers that are this old when n8n starts are reported if they start the workflow: n8n was off, or its
 * database was restored from a backup. A trigger cannot distinguish the two.
 */
export const OLD_AFTER_MS = 3_600_000;

/**
 * The moment from which on changes and answers start the workflow. A moment and not a switch: a switch would skip
 * everything again whenever n8n restarts.
 */
export const startFrom: INodeProperties = {
	displayName: `${LABEL} (Ignore Before)`,
	name: 'startFrom',
	type: 'dateTime',
	// n8n would evaluate an expression such as `$now` again at each restart.
	noDataExpression: true,
	default: '',
	description:
		'Nothing that happened before this date and time starts the workflow. Choose the present time after restoring a backup of n8n: otherwise, what already ran since the backup runs again.',
};

/** Reads the moment; undefined if the option is not added. Throws BadInput for an invalid one. */
export function readStartFrom(
	context: ITriggerFunctions,
	options: IDataObject,
): number | undefined {
	if (options.startFrom === undefined) return undefined;
	const iso = toIsoDate(LABEL, options.startFrom, context.getTimezone());
	if (iso === undefined) throw new BadInput(`'${LABEL}' is empty`, 'Choose the present time.');
	const moment = Date.parse(iso);
	if (isPublishing(context) && moment > Date.now() + MAX_AHEAD_MS) {
		throw new BadInput(
			`'${LABEL}' is in the future: ${iso}`,
			"Choose the present time, and check 'Timezone' in the settings of the workflow.",
		);
	}
	return moment;
}
