import { resource } from '../../engine/operation';
import { check } from './check';
import { start } from './start';

/** What can be done with phone verifications. */
export const phoneVerification = resource({
	name: 'Phone Verification',
	description: 'Proof that a person has a phone number, without enrolling',
	operations: { check, start },
	initial: 'start',
});
