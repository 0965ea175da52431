import { refundCall, useReviews } from './reviewRig';
import type { ModelCall } from './reviewVariants';

// A model that repeats denied calls must not cause endless requests.

const { rig, start, sentApprovals, decide, lastToolResults, toolInputs } = useReviews();

const callsOfTurn = (index: number, overrides: Partial<ModelCall> = {}): ModelCall[] => [
	refundCall({ id: `call_${index}`, ...overrides }),
];
const refundAmount = (amount: number) => ({ toolParameters: { Amount: amount } });
const DENIED = /^User rejected the tool call to Refund/;
const NOT_AGAIN = /couldn't be asked: The person has denied this very call already\. Stop calling/;
const NO_MORE = /couldn't be asked: 5 reviews were denied or not answered.* Stop calling tools/;

it('a denied call is not requested again, in whatever order its arguments come', async () => {
	const reordered = { toolParameters: { Guest: 'Ada Lovelace', Amount: 250 } };
	await start([
		callsOfTurn(1),
		callsOfTurn(2),
		callsOfTurn(3, reordered),
		callsOfTurn(4, refundAmount(9)),
	]);
	await decide('denied');
	expect(sentApprovals()).toHaveLength(2);
	await decide('approved');
	expect(lastToolResults()).toEqual([
		expect.stringMatching(DENIED),
		expect.stringMatching(NOT_AGAIN),
		expect.stringMatching(NOT_AGAIN),
		'Refund ran: [{"done":true}]',
	]);
	expect(toolInputs()).toMatchObject([{ Amount: 9 }]);
});

it('a denied call is not requested again, whatever output fields the review selects', async () => {
	const parameters = { output: 'selectedFields', selectedFields: ['outcome'] };
	await start([callsOfTurn(1), callsOfTurn(2)], { parameters });
	await decide('denied');
	expect(sentApprovals()).toHaveLength(1);
});

it('25 equal calls in one turn that are denied cause one request', async () => {
	await start([Array.from({ length: 25 }, (_, index) => callsOfTurn(index)[0]!)]);
	await decide('denied');
	expect(sentApprovals()).toHaveLength(1);
	expect(lastToolResults()).toHaveLength(25);
});

it('a call without a decision may be requested again', async () => {
	await start([callsOfTurn(1), callsOfTurn(2)]);
	await decide('expired');
	await decide('approved');
	expect(toolInputs()).toHaveLength(1);
});

it.each(['denied', 'expired'])(
	'after five calls that were %s no further ones are requested',
	async (status) => {
		await start(Array.from({ length: 7 }, (_, index) => callsOfTurn(index, refundAmount(index))));
		for (let request = 1; request <= 5; request++) {
			expect(sentApprovals()).toHaveLength(request);
			// n8n is killed meanwhile; what is stored with the execution counts.
			if (request === 3) rig.host.restartProcess();
			await decide(status);
			if (request === 3) await rig.advanceTime(6 * 60_000);
		}
		expect(sentApprovals()).toHaveLength(5);
		expect(lastToolResults()!.slice(5)).toEqual([
			expect.stringMatching(NO_MORE),
			expect.stringMatching(NO_MORE),
		]);
	},
);

it('approvals do not count, nor do calls that were rejected before a request was sent', async () => {
	const bad = callsOfTurn(0, { toolParameters: { Amount: 1, query: { Amount: 2 } } });
	const turns = Array.from({ length: 7 }, (_, index) => callsOfTurn(index, refundAmount(index)));
	await start([bad, bad, bad, bad, bad, bad, ...turns]);
	for (let asked = 1; asked <= 7; asked++) await decide('approved');
	expect(toolInputs()).toHaveLength(7);
});
