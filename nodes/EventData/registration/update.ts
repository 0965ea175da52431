import { operation } from '../../engine/operation';
import { asReferenceChange, attendeeId, changes, eventId, registrationId } from '../fields';
import { mergeUpdate, updateMethod } from '../mergeUpdate';
import { recordWithId } from '../paging';
import { orderFields } from './fieldOrder';
import { status } from './status';

export const update = operation({
	name: 'Update',
	action: 'Update a registration',
	description: 'Update a registration',
	request: 'PUT /registrations/{registrationId}',
	fields: {
		registrationId,
		changes: changes([asReferenceChange(attendeeId), asReferenceChange(eventId), status('body')]),
	},
	options: { verb: updateMethod },
	idempotent: true,
	...mergeUpdate(registrationId, {
		required: ['eventId', 'attendeeId'],
		optional: ['status'],
	}),
	...recordWithId,
	transformRecord: orderFields,
});
