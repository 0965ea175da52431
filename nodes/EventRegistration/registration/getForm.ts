import { operation } from '../../engine/operation';
import { eventId } from '../fields';
import { formKeys } from '../form/inputs';
import { formOutput } from '../form/output';

export const getForm = operation({
	name: 'Get Form',
	action: 'Get the registration form',
	description: "List the fields of an event's registration form",
	request: 'GET /api/v1/events/{eventId}/registrations/registrationform',
	fields: { eventId },
	options: { formKeys },
	idempotent: true,
	...formOutput,
});
