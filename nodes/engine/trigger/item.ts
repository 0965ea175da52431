import type { IDataObject } from 'n8n-workflow';

import { waitedSeconds } from '../watch';
import type { Ended } from '../watch';

const iso = (at: number) => new Date(at).toISOString();

/** What a workflow starts with: how one id ended, what the service said, and what was handed in with it. Our own fields win. */
export function itemOf(ended: Ended, idName: string): IDataObject {
	const { id, outcome, result, data, subject, seenOutstanding, firstSeen, finishedAt, trouble } =
		ended;
	return Object.assign({ id, outcome }, result, {
		id,
		outcome,
		[idName]: id,
		data: data ?? {},
		...(subject !== undefined && { expectedSubject: subject }),
		seenOutstanding,
		firstSeen: iso(firstSeen),
		finishedAt: iso(finishedAt),
		waitedSeconds: waitedSeconds(ended),
		polls: ended.polls,
		...(trouble !== undefined && { trouble }),
	});
}
