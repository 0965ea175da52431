import { operation } from '../../engine/operation';
import { contactListId } from '../fields';
import { clearBlank, formKeys } from '../form/inputs';
import { details } from './fields';
import {
	email,
	expectedPlan,
	matchBy,
	maxChanges,
	maxRemovals,
	missingPolicy,
	mode,
	show,
} from './sync/fields';
import { syncContacts } from './sync/run';

export const sync = operation({
	name: 'Sync',
	action: 'Sync a contact list with items',
	description: 'Make a contact list equal to all input items, or preview what would change',
	fields: { contactListId, matchBy, email, details, mode, missing: missingPolicy, show },
	options: { expectedPlan, maxRemovals, maxChanges, clearBlank, formKeys },
	effect: 'the contacts were written',
	writesConcurrently: true,
	runBatch: syncContacts,
	outputSchema: {
		change: 'string',
		applied: 'boolean',
		ContactId: 'integer',
		key: 'string',
		Email: 'string',
		changes: 'array',
		plan: 'string',
	},
});
