import type { Operation } from '../../engine/operation';
import { registrationId } from '../fields';

/** Reads one registration. */
export const get: Operation = {
	name: 'Get',
	action: 'Get a registration',
	description: 'Look up one registration',
	request: { method: 'GET', path: '/registrations/{registrationId}' },
	fields: [registrationId],
	repeatable: true,
};
