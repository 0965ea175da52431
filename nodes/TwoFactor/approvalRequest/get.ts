import { ServiceFailure } from '../../engine/errors';
import { operation } from '../../engine/operation';
import { approvalUuid } from '../fields';
import { peopleOf } from '../people';
import { approvalShape, approvalOutputSchema, readApproval, withNames } from './approval';
import { answerOutputSchema } from './approvalAnswer';

export const get = operation({
	name: 'Get',
	action: 'Get an approval request',
	description: 'Get an approval request: pending, approved, denied or expired',
	request: 'GET /onetouch/json/approval_requests/{uuid}',
	fields: { uuid: approvalUuid },
	idempotent: true,
	output: (response, { uuid: id }, { connection }) => {
		const reading = readApproval(response, { id });
		if ('approval' in reading) return withNames(reading.approval, peopleOf(connection));
		throw new ServiceFailure(reading.problem, {
			advice: "Treat the request as undecided. Check 'Base URL' in the credential.",
		});
	},
	...approvalShape({
		...approvalOutputSchema,
		...answerOutputSchema,
		created_at: 'string',
		processed_at: 'string',
		seconds_to_expire: 'integer',
	}),
});
