import { ServiceFailure } from '../../engine/errors';
import { field, shownIf } from '../../engine/field';
import { operation } from '../../engine/operation';
import type { Call } from '../../engine/operation';
import { isOn } from '../../engine/values/convert';
import type { Begun } from '../../engine/wait/beginAndWait';
import { handOver, handOverOptions } from '../../engine/wait/handOver';
import type { HandOverValues } from '../../engine/wait/handOver';
import { checkEvery, waitLimit } from '../../engine/wait/wait';
import { twofactorId } from '../fields';
import { approvalIn, userAsked } from './approval';
import { decisionYields, failOn, waitForDecisions } from './decision';
import type { Approval } from './decision';
import { details, hiddenDetails } from './details';
import { expiry } from './expiry';
import { logos } from './logos';
import { message } from './message';

const wait = field({
	displayName: 'Wait for Decision',
	name: 'wait',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until the user has decided, so that asking and waiting are one step. Otherwise the item comes out as soon as the question is sent.',
	read: isOn,
});

/** Pushes a question to the user's app, once, and if so wanted waits for the decision. */
export const create = operation({
	name: 'Create',
	action: 'Create an approval request',
	description:
		"Push a question to the user's app, which the user approves or denies. It can wait for the decision right away.",
	request: 'POST /onetouch/json/users/{twofactor_id}/approval_requests',
	fields: {
		twofactorId,
		message,
		...details,
		wait,
		waitLimit: shownIf(waitLimit, { wait: [true] }),
	},
	options: {
		expiry,
		...hiddenDetails,
		logos,
		...handOverOptions,
		errorOutcomes: shownIf(failOn, { '/wait': [true] }),
		checkEvery: shownIf(checkEvery, { '/wait': [true] }),
	},
	once: 'the approval request went out',
	together: async (batch) => await waitForDecisions(batch, createOne),
	yields: decisionYields,
});

/** What asking needs besides the request. */
interface Asked extends HandOverValues {
	twofactorId: string;
	wait?: boolean;
}

async function createOne(values: Asked, call: Call): Promise<Begun<Approval>> {
	const answer = await call.send(await call.request());
	const { twofactorId: asked } = values;
	const { uuid: id, ...rest } = approvalIn(answer);
	const uuid = typeof id === 'number' ? `${id}` : id;
	if (typeof uuid !== 'string' || uuid.trim() === '') {
		throw new ServiceFailure('The two-factor service took the approval request without an ID', {
			advice: 'The user may have got it, but its outcome cannot be looked up. Ask the provider.',
		});
	}
	const output = {
		uuid,
		...rest,
		twofactor_id: userAsked(rest.twofactor_id, asked),
		...(await handOver(values, call, { id: uuid })),
	};
	const done = `The approval request ${uuid} was sent`;
	return values.wait ? { output, wait: { id: uuid, asked, done } } : { output };
}
