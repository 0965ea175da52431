// Protects reviewers from a model that repeats calls: no second request for a denied call, none after five without approval.
import { refundCall, useReviews } from './reviewRig';
import type { ModelCall } from './reviewVariants';

const { rig, start, sentApprovals, decide, readToolResults, toolInputs } = useReviews();

/** One turn of the model, with one call. */
const refundTurn = (index: number, overrides: Partial<ModelCall> = {}): ModelCall[] => [
	refundCall({ id: `call_${index}`, ...overrides }),
];
const withAmount = (amount: number) => ({ toolParameters: { Amount: amount } });
const DENIED = /^User rejected the tool call to Refund/;
const DENIED_BEFORE =
	/couldn't be asked: The person has denied this very call already\. Stop calling/;
const TOO_MANY_REVIEWS =
	/couldn't be asked: 5 reviews were denied or not answered.* Stop calling tools/;

it('no second request is sent for a denied call, even if its arguments are in another order', async () => {
	const reordered = { toolParameters: { Guest: 'Ada Lovelace', Amount: 250 } };
	await start([
		refundTurn(1),
		refundTurn(2),
		refundTurn(3, reordered),
		refundTurn(4, withAmount(9)),
	]);
	await decide('denied');
	expect(sentApprovals()).toHaveLength(2);
	await decide('approved');
	expect(readToolResults()).toEqual([
		expect.stringMatching(DENIED),
		expect.stringMatching(DENIED_BEFORE),
		expect.stringMatching(DENIED_BEFORE),
		'Refund ran: [{"done":true}]',
	]);
	expect(toolInputs()).toMatchObject([{ Amount: 9 }]);
});

it('no second request is sent for a denied call if the review outputs only selected fields', async () => {
	const parameters = { output: 'selectedFields', selectedFields: ['outcome'] };
	await start([refundTurn(1), refundTurn(2)], { parameters });
	await decide('denied');
	expect(sentApprovals()).toHaveLength(1);
});

it('25 equal calls in one turn cause one request if it is denied', async () => {
	await start([Array.from({ length: 25 }, (_, index) => refundTurn(index)[0]!)]);
	await decide('denied');
	expect(sentApprovals()).toHaveLength(1);
	expect(readToolResults()).toHaveLength(25);
});

it('a second request is sent for a call whose first request expired', async () => {
	await start([refundTurn(1), refundTurn(2)]);
	await decide('expired');
	await decide('approved');
	expect(toolInputs()).toHaveLength(1);
});

it.each(['denied', 'expired'])(
	'no further request is sent after five requests that were %s',
	async (status) => {
		await start(Array.from({ length: 7 }, (_, index) => refundTurn(index, withAmount(index))));
		for (let request = 1; request <= 5; request++) {
			expect(sentApprovals()).toHaveLength(request);
			// n8n is killed before the third decision: the count is stored with the execution.
			if (request === 3) rig.host.restartProcess();
			await decide(status);
			if (request === 3) await rig.advanceTime(6 * 60_000);
		}
		expect(sentApprovals()).toHaveLength(5);
		expect(readToolResults()!.slice(5)).toEqual([
			expect.stringMatching(TOO_MANY_REVIEWS),
			expect.stringMatching(TOO_MANY_REVIEWS),
		]);
	},
);

it('the limit counts neither approvals nor calls that were rejected before a request was sent', async () => {
	const invalidTurn = refundTurn(0, { toolParameters: { Amount: 1, query: { Amount: 2 } } });
	const turns = Array.from({ length: 7 }, (_, index) => refundTurn(index, withAmount(index)));
	await start([...Array.from({ length: 6 }, () => invalidTurn), ...turns]);
	for (let request = 1; request <= 7; request++) await decide('approved');
	expect(toolInputs()).toHaveLength(7);
});
