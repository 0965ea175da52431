import { approvalShape } from '../../../nodes/TwoFactor/approvalRequest/approval';
import { toDecisionOutput } from '../../../nodes/TwoFactor/approvalRequest/decision';

const { transformRecord } = approvalShape({ id: 'string' });
const answeredRequest = { uuid: 'u-1', status: 'Approved', twofactor_id: 100_001 };
const SEEN = '2026-03-02T09:00:05.000Z';
const PROCESSED = '2026-03-02T10:00:00+01:00';

test('the response time is the time of the service', () => {
	expect(
		transformRecord({ ...answeredRequest, processed_at: PROCESSED, finishedAt: SEEN }),
	).toMatchObject({
		respondedAt: '2026-03-02T09:00:00.000Z',
		responder: { twofactor_id: 100_001 },
	});
});

test.each([undefined, null, 'soon'])(
	'a trigger outputs the time when it read the decision, for %p',
	(given) => {
		const record = { ...answeredRequest, processed_at: given, finishedAt: SEEN };
		expect(transformRecord(record)).toMatchObject({ respondedAt: SEEN });
	},
);

test('Get outputs no time if the service reports none', () => {
	expect(transformRecord(answeredRequest)).not.toHaveProperty('respondedAt');
});

test('the known ones of name and email are output', () => {
	const record = { ...answeredRequest, _user_email: 'ada@example.com', user: { name: 'Ada' } };
	expect(transformRecord(record).responder).toEqual({
		twofactor_id: 100_001,
		name: 'Ada',
		email: 'ada@example.com',
	});
});

test.each(['pending', 'expired'])(
	'a request that is %s has no responder and no response time',
	(status) => {
		const record = transformRecord({ ...answeredRequest, status, processed_at: PROCESSED });
		expect(record).not.toHaveProperty('respondedAt');
		expect(record).not.toHaveProperty('responder');
	},
);

test.each([
	['denied', SEEN],
	['stillOutstanding', undefined],
])('a wait that ends %s outputs the time %s when it read the decision', (outcome, respondedAt) => {
	const finishedAt = Date.parse(SEEN);
	const times = { firstSeen: finishedAt - 1000, finishedAt, polls: 1, seenOutstanding: true };
	const end = { id: 'u-1', outcome, result: { twofactor_id: 100_001 }, ...times };
	const output = toDecisionOutput({}, undefined as never, end, { id: 'u-1' });
	expect(output.respondedAt).toBe(respondedAt);
});
