import { resource } from '../../engine/operation';
import { check } from './check';
import { start } from './start';

export const phoneVerification = resource({
	name: 'Phone Verification',
	description: 'Proof that a person has a phone number, without enrolling',
	operations: { check, start },
	defaultOperation: 'start',
});
