import { operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { formKeys } from '../form/inputs';
import { contactListShape, withNamedFields } from '../records';
import { addInBatches, contactsPerRequest, findRefused } from './addInBatches';
import { details } from './fields';

export const add = operation({
	name: 'Add',
	action: 'Add contacts to a list',
	description: 'Add contacts to a list, in batches',
	request: 'POST /api/v1/contactlists/{contactListId}/contacts',
	fields: { contactListId, details },
	options: { contactsPerRequest, findRefused, formKeys },
	effect: 'these contacts were added',
	identify: contactListShape.identify,
	requiredContent: 'record',
	runBatch: addInBatches,
	transformRecord: withNamedFields,
	outputSchema: {
		ContactListId: 'integer',
		FirstName: 'string',
		LastName: 'string',
		Email: 'string',
		CustomFields: 'object',
	},
});
