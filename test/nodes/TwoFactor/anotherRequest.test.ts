// Protects approvals from a mixed-up response: a decision counts only with the ID of the request that was polled.
import type { ServiceResponse } from '../../../nodes/engine/http/types';
import { approvalPoll } from '../../../nodes/TwoFactor/approvalRequest/decision';

const REQUESTED_ID = '550e8400-e29b-41d4-a716-446655440000';
const OTHER_ID = '11111111-e29b-41d4-a716-446655440000';
const makeResponse = (body: unknown): ServiceResponse => ({
	status: 200,
	headers: {},
	kind: 'json',
	body,
});
const makeApproval = (fields: object) => ({ approval_request: { status: 'approved', ...fields } });

it.each([
	['with the requested ID', 'finished', makeApproval({ uuid: REQUESTED_ID })],
	[
		'with the requested ID in capitals',
		'finished',
		makeApproval({ uuid: REQUESTED_ID.toUpperCase() }),
	],
	['without an ID', 'unrecognized', makeApproval({})],
	['with another uuid', 'unrecognized', makeApproval({ uuid: OTHER_ID })],
	['with another id', 'unrecognized', makeApproval({ id: OTHER_ID })],
	['in a list, with another uuid', 'unrecognized', [{ status: 'approved', uuid: OTHER_ID }]],
])('the response to a poll is read by the ID in it: an approval %s is %s', (_, kind, body) => {
	expect(approvalPoll.interpret(makeResponse(body), REQUESTED_ID)).toMatchObject({ kind });
});
