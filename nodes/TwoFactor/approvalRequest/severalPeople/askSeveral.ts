import type { IDataObject } from 'n8n-workflow';

import { toPathSegment } from '../../../engine/http/path';
import type { Request } from '../../../engine/http/types';
import type { ItemCall } from '../../../engine/operation';
import type { BegunItem } from '../../../engine/park/beginAndWait';
import type { OutgoingRequest } from '../../../engine/park/quorumWait';
import { rawParameter } from '../../../engine/review/notByAgent';
import { isRecord } from '../../../engine/values/isRecord';
import { peopleOf } from '../../people';
import { asObject } from '../../responses';
import { requireApp } from '../appCheck';
import { create } from '../create';
import { lifetimeOf } from '../expiry';
import { findMismatch, toSentQuestion } from '../mismatch';
import { readSent } from '../sending';
import { namesOf, withIdsForNames } from './levelNames';
import { nameOf } from './output';
import { resolvePolicy } from './resolvePolicy';
import { levelRows } from './rows';

/** Values of the fields that matter if several people decide. */
export interface SeveralPeopleValues {
	levels?: unknown;
	oneDenialEnds?: boolean;
	requester?: string;
	remindAfter?: number;
	expiry?: number;
	neverExpires?: number;
	failWithoutApp?: boolean;
	limitWaitTime?: number;
}

/**
 * Begins an item that several people decide: checks everything, and asks no one yet. `request` is the question. n8n stores
 * the question with the execution, so that each level is asked the same, whatever values the node's expressions return
 * later.
 */
export function beginSeveral(
	values: SeveralPeopleValues,
	request: Request,
	{ connection, context, itemIndex }: ItemCall,
): BegunItem {
	const { requester, limitWaitTime, neverExpires, failWithoutApp } = values;
	const people = peopleOf(connection);
	const enteredLevels = rawParameter(context, 'levels', itemIndex);
	const body = isRecord(request.json) ? request.json : {};
	const details = isRecord(body.details) ? body.details : {};
	const { policy, names } = resolvePolicy(
		{
			levels: withIdsForNames(values.levels, enteredLevels, people),
			oneDenialEnds: values.oneDenialEnds ?? true,
			requester,
			remindAfterMs: values.remindAfter,
			expiresAfterMs: 1000 * lifetimeOf(values),
			limitMs: limitWaitTime === undefined ? undefined : 1000 * limitWaitTime,
			neverExpires: neverExpires !== undefined,
		},
		Date.now(),
	);
	const data: IDataObject = {
		body,
		// The input of the workflow must not give the User ID of one person the name of another.
		names: { ...names, ...namesOf(policy, requester, people) },
		...(requester !== undefined && { requester }),
		...(failWithoutApp === false && { failWithoutApp }),
	};
	const { message } = body;
	return { output: { message, details }, quorum: { policy, data } };
}

type Asked = Pick<OutgoingRequest, 'level' | 'person'>;

/** Returns the body of the question to a person of a level. */
function questionFor(data: IDataObject, { level, person }: Asked): IDataObject {
	const body = isRecord(data.body) ? data.body : {};
	const details = isRecord(body.details) ? body.details : {};
	const requester = typeof data.requester === 'string' ? data.requester : undefined;
	const requesterName = requester && nameOf(data, requester);
	const shownRequester = requesterName ? `${requesterName} (${requester})` : requester;
	return { ...body, details: { ...details, ...levelRows(level, person, shownRequester) } };
}

/** Returns why the approval of a request to this person does not count; undefined if it counts. */
export const findQuestionMismatch = async (
	{ client }: ItemCall,
	data: IDataObject,
	asked: Asked,
	result: unknown,
): Promise<string | undefined> =>
	await findMismatch(asObject(result), toSentQuestion(questionFor(data, asked)), client);

/**
 * Pushes the question to one person, if the person has the app or the check for the app is off. Returns the ID of the
 * approval request; undefined if the service gave none.
 */
export async function askPerson(
	call: ItemCall,
	data: IDataObject,
	asked: OutgoingRequest,
): Promise<string | undefined> {
	const { person, expiresInS } = asked;
	if (data.failWithoutApp !== false) await requireApp(person, call);
	const response = await call.send({
		...create.request!,
		params: { twofactor_id: toPathSegment('User ID', person) },
		json: { ...questionFor(data, asked), seconds_to_expire: expiresInS },
	});
	const reading = readSent(response, person);
	return 'problem' in reading ? undefined : reading.approval.uuid;
}
