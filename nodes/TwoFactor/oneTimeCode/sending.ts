import type { Field, Operation } from '../../engine/operation';
import { asObject, isTrue, rest } from '../answers';
import { action, locale } from '../fields';

/** What can be set when a code is sent. */
export const sendOptions: Field[] = [
	action,
	{
		displayName: 'Action Message',
		name: 'actionMessage',
		type: 'string',
		default: '',
		placeholder: 'e.g. Log in to the speaker portal',
		description: 'The words that tell the user what the code is for',
		target: { in: 'query', as: 'action_message' },
	},
	{
		displayName: 'Force',
		name: 'force',
		type: 'boolean',
		default: true,
		description:
			'Whether to send the code even though the user has the app. Without it the service holds the message back from such a user, who finds a code in the app instead.',
		target: { in: 'query' },
	},
	locale('query'),
];

/** Says whether a message went out: the service calls it a success when it held the message back. */
export const sendOutput: Operation['output'] = ({ body }, call) => {
	const held = isTrue(asObject(body).ignored);
	return {
		twofactor_id: `${call.field('twofactorId')}`.trim(),
		sent: !held,
		...(held ? { reason: 'userHasApp' } : {}),
		...rest(body, 'ignored'),
	};
};

/** What a sending operation yields. */
export const sendYields: Operation['yields'] = {
	twofactor_id: 'string',
	sent: 'boolean',
	reason: 'string',
	message: 'string',
	cellphone: 'string',
	device: 'string',
};
