import { operation } from '../../engine/operation';
import { twofactorId } from '../fields';
import { sendOptions, sendOutput, sendYields } from './sending';

/** Has a code read out in a voice call, once. It is a GET with an effect, so it is never repeated by itself. */
export const sendByCall = operation({
	name: 'Send by Call',
	action: 'Send a code by voice call',
	description: 'Call an enrolled user with a one-time code',
	request: 'GET /protected/json/call/{twofactor_id}',
	fields: { twofactorId },
	options: sendOptions,
	once: 'the call was made',
	output: sendOutput,
	yields: sendYields,
});
