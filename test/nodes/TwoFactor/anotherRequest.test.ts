import type { ServiceResponse } from '../../../nodes/engine/http/types';
import { approvalPoll } from '../../../nodes/TwoFactor/approvalRequest/decision';

const ASKED = '550e8400-e29b-41d4-a716-446655440000';
const OTHER = '11111111-e29b-41d4-a716-446655440000';
const makeResponse = (body: unknown): ServiceResponse => ({
	status: 200,
	headers: {},
	kind: 'json',
	body,
});
const approvalWith = (fields: object) => ({ approval_request: { status: 'approved', ...fields } });

it.each([
	['names it', approvalWith({ uuid: ASKED }), 'finished'],
	['names it in capitals', approvalWith({ uuid: ASKED.toUpperCase() }), 'finished'],
	['names none', approvalWith({}), 'finished'],
	['names another', approvalWith({ uuid: OTHER }), 'unrecognized'],
	['names another by its id', approvalWith({ id: OTHER }), 'unrecognized'],
	['lists others', [{ status: 'approved', uuid: OTHER }], 'unrecognized'],
])('an approval only counts for the requested ID: one that %s', (_, body, kind) => {
	expect(approvalPoll.interpret(makeResponse(body), ASKED)).toMatchObject({ kind });
});
