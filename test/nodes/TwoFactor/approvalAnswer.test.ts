// Protects the record of a decision: it has the responder and the time of the service; an undecided request has neither.
import { approvalShape } from '../../../nodes/TwoFactor/approvalRequest/approval';
import { toDecisionOutput } from '../../../nodes/TwoFactor/approvalRequest/decision';

const { transformRecord } = approvalShape({ id: 'string' });
const answeredRequest = { uuid: 'u-1', status: 'Approved', twofactor_id: 100_001 };
/** When the node read the decision. */
const READ_AT = '2026-03-02T09:00:05.000Z';
/** When the service processed the decision: 5 seconds earlier, in another time zone. */
const PROCESSED_AT = '2026-03-02T10:00:00+01:00';

test('respondedAt is the processed_at of the service in UTC', () => {
	expect(
		transformRecord({ ...answeredRequest, processed_at: PROCESSED_AT, finishedAt: READ_AT }),
	).toMatchObject({
		respondedAt: '2026-03-02T09:00:00.000Z',
		responder: { twofactor_id: 100_001 },
	});
});

test.each([undefined, null, 'soon'])(
	'respondedAt is the time when the trigger read the decision if processed_at is %p',
	(processedAt) => {
		const record = { ...answeredRequest, processed_at: processedAt, finishedAt: READ_AT };
		expect(transformRecord(record)).toMatchObject({ respondedAt: READ_AT });
	},
);

test('Get outputs no respondedAt if the service reports no time', () => {
	expect(transformRecord(answeredRequest)).not.toHaveProperty('respondedAt');
});

test('the responder has the name and email that the service reports', () => {
	const record = { ...answeredRequest, _user_email: 'ada@example.com', user: { name: 'Ada' } };
	expect(transformRecord(record).responder).toEqual({
		twofactor_id: 100_001,
		name: 'Ada',
		email: 'ada@example.com',
	});
});

test.each(['pending', 'expired'])(
	'a request with the status %s has no responder and no respondedAt',
	(status) => {
		const record = transformRecord({ ...answeredRequest, status, processed_at: PROCESSED_AT });
		expect(record).not.toHaveProperty('respondedAt');
		expect(record).not.toHaveProperty('responder');
	},
);

test.each([
	['denied', READ_AT],
	['stillOutstanding', undefined],
])('a wait with the outcome %s outputs the respondedAt %s', (outcome, respondedAt) => {
	const endedAt = Date.parse(READ_AT);
	const times = { addedAt: endedAt - 1000, endedAt, polls: 1, seenOutstanding: true };
	const end = { id: 'u-1', outcome, result: { twofactor_id: 100_001 }, ...times };
	const output = toDecisionOutput({}, end, { id: 'u-1' });
	expect(output.respondedAt).toBe(respondedAt);
});
