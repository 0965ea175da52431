import { operation } from '../../engine/operation';
import { codeReceiver, codeSendingOptions, sendOutput, sendOutputSchema } from './sending';

/** Sends a code by voice call, once. The request is a GET with a side effect, so it is never retried. */
export const sendByCall = operation({
	name: 'Send by Call',
	action: 'Send a code by voice call',
	description: 'Call an enrolled user with a one-time code',
	request: 'GET /protected/json/call/{twofactor_id}',
	fields: { twofactorId: codeReceiver },
	options: codeSendingOptions,
	effect: 'the call was made',
	output: sendOutput,
	outputSchema: sendOutputSchema,
});
