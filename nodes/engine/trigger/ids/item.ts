import type { IDataObject } from 'n8n-workflow';

import { recordShaperOf } from '../../run/output';
import type { OutputShape } from '../../run/output';
import { waitedSeconds } from '../../watch';
import type { EndedId } from '../../watch';

const iso = (at: number) => new Date(at).toISOString();

/**
 * Builds the item that starts the workflow: the end of one ID, the service's result and the submitted data. The trigger's
 * own fields replace those of the service. The item has the same shape as the output of the service's own node.
 */
export function itemOf(endedId: EndedId, shape: OutputShape, simplifies: boolean): IDataObject {
	const { id, outcome, result, data, subject, seenOutstanding, addedAt, endedAt, trouble } =
		endedId;
	// `id` and `outcome` come first in the output, and again because `result` may replace them.
	const fullItem = Object.assign({ id, outcome }, result, {
		id,
		outcome,
		data: data ?? {},
		...(subject !== undefined && { subject }),
		seenOutstanding,
		firstSeen: iso(addedAt),
		finishedAt: iso(endedAt),
		waitedSeconds: waitedSeconds(endedId),
		polls: endedId.polls,
		...(trouble !== undefined && { trouble }),
	});
	return recordShaperOf(shape, simplifies)(fullItem);
}
