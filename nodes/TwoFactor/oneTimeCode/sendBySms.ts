import { operation } from '../../engine/operation';
import { codeReceiver, codeSendingOptions, sendOutput, sendOutputSchema } from './sending';

/** Sends a code by SMS, once. The request is a GET with a side effect, so it is never retried. */
export const sendBySms = operation({
	name: 'Send by SMS',
	action: 'Send a code by SMS',
	description: 'Text an enrolled user a one-time code',
	request: 'GET /protected/json/sms/{twofactor_id}',
	fields: { twofactorId: codeReceiver },
	options: codeSendingOptions,
	effect: 'the message went out',
	output: sendOutput,
	outputSchema: sendOutputSchema,
});
