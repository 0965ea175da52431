import { resource } from '../../engine/operation';
import { sendByCall } from './sendByCall';
import { sendBySms } from './sendBySms';
import { verify } from './verify';

export const oneTimeCode = resource({
	name: 'One-Time Code',
	description: 'A code that an enrolled user gets by SMS, voice call or in the app',
	operations: { sendByCall, sendBySms, verify },
	defaultOperation: 'sendBySms',
});
