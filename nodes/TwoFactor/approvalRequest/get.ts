import { operation } from '../../engine/operation';
import { approvalUuid } from '../fields';
import { approvalIn, approvalShape, approvalYields } from './approval';

/** Reads one approval request. */
export const get = operation({
	name: 'Get',
	action: 'Get an approval request',
	description: 'Get an approval request: pending, approved, denied or expired',
	request: 'GET /onetouch/json/approval_requests/{uuid}',
	fields: { uuid: approvalUuid },
	repeatable: true,
	output: (answer) => approvalIn(answer),
	...approvalShape({
		...approvalYields,
		created_at: 'string',
		processed_at: 'string',
		seconds_to_expire: 'integer',
	}),
});
