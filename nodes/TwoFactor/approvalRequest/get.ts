import { operation } from '../../engine/operation';
import { approvalUuid } from '../fields';
import { approvalIn } from './approval';

/** Reads one approval request. */
export const get = operation({
	name: 'Get',
	action: 'Get an approval request',
	description: 'Look up whether an approval request is pending, approved, denied or expired',
	request: 'GET /onetouch/json/approval_requests/{uuid}',
	fields: { uuid: approvalUuid },
	repeatable: true,
	output: (answer) => approvalIn(answer),
	yields: {
		uuid: 'string',
		status: 'string',
		message: 'string',
		details: 'object',
		twofactor_id: 'integer',
		created_at: 'string',
		updated_at: 'string',
		processed_at: 'string',
		seconds_to_expire: 'integer',
		notified: 'boolean',
	},
});
