import type { IDataObject } from 'n8n-workflow';

import { simplifierOf } from '../../run/output';
import type { Shape } from '../../run/output';
import { waitedSeconds } from './core';
import type { Ended } from './core';

const iso = (at: number) => new Date(at).toISOString();

/**
 * What a workflow starts with: how one id ended, what the service said, and what was handed in with it. Our own fields win over
 * those of the service, and its shape is that of the service's own node.
 */
export function itemOf(ended: Ended, shape: Shape, simplifies: boolean): IDataObject {
	const { id, outcome, result, data, subject, seenOutstanding, firstSeen, finishedAt, trouble } =
		ended;
	const whole = Object.assign({ id, outcome }, result, {
		id,
		outcome,
		data: data ?? {},
		...(subject !== undefined && { subject }),
		seenOutstanding,
		firstSeen: iso(firstSeen),
		finishedAt: iso(finishedAt),
		waitedSeconds: waitedSeconds(ended),
		polls: ended.polls,
		...(trouble !== undefined && { trouble }),
	});
	return simplifierOf(shape, simplifies)(whole);
}
