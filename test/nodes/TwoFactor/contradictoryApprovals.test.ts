// Protects approvals from a response that contradicts itself: an approved request with a denial beside it does not count.
import { readApproval } from '../../../nodes/TwoFactor/approvalRequest/approval';

const respond = (body: unknown) => ({
	status: 200,
	headers: {},
	kind: 'json' as const,
	body,
	bytes: 0,
});
const approved = { uuid: 'u-1', status: 'approved' };

it.each([
	{ approved: false },
	{ Approved: 'false' },
	{ decision: 'denied' },
	{ outcome: ' Rejected' },
	{ result: 'expired' },
])('an approved request that also has %j does not count', (member) => {
	for (const body of [
		{ approval_request: { ...approved, ...member }, success: true },
		{ approval_request: approved, success: true, ...member },
		{ ...approved, ...member },
	])
		expect(readApproval(respond(body))).toEqual({
			problem: "The two-factor service's answer contradicts itself about the decision",
		});
});

it('an approved request does not count inside an object whose status is denied', () => {
	const body = { approval_request: approved, status: 'denied' };
	expect(readApproval(respond(body))).toHaveProperty('problem');
});

it.each([
	[{ ...approved, approved: true, decision: 'approved', result: 'ok' }],
	[{ ...approved, message: 'Refund a denied payment?', details: { status: 'denied' } }],
	[{ uuid: 'u-1', status: 'denied', approved: false, decision: 'denied' }],
	[{ uuid: 'u-1', status: 'pending', approved: false }],
])('%j is read', (approval) => {
	const body = { approval_request: approval, status: 'ok', success: true };
	expect(readApproval(respond(body))).toMatchObject({ approval: { status: approval.status } });
});
