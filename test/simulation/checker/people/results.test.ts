// Protects what the simulator proves about approvals by several people: it finds a result that the people did not decide.
import {
	approve,
	approvedItem,
	begin,
	brokenBy,
	itemOf,
	oneLevel,
	policy,
	withoutDeputies,
	Writer,
} from './writer';

const TRUE_OUTCOME = 'the outcome is what the people decided';
const READ_IS_REPORTED = 'a decision that was read is reported';
const CERTAIN = 'uncertain is not reported as certain';
const NO_INPUT = 'the input does not pass for a result';
const pending = ['pending', 'pending', 'pending'];

describe('broken promises about results', () => {
	it.each<[string, string, Writer]>([
		[
			TRUE_OUTCOME,
			'one approval is missing',
			begin()
				.decide(5, '1', 'approved')
				.read(6, '123')
				.output(8, itemOf('approved', '1', ['approved', 'pending', 'pending'])),
		],
		[
			TRUE_OUTCOME,
			'another person approved',
			begin()
				.decide(5, '1', 'approved')
				.decide(6, '2', 'approved', '77')
				.read(7, '13')
				.output(8, approvedItem),
		],
		[TRUE_OUTCOME, 'nobody denied', begin().output(8, itemOf('denied', '1', pending))],
		[
			TRUE_OUTCOME,
			'enough people can still approve',
			begin({ ...oneLevel, oneDenialEnds: false })
				.decide(5, '1', 'denied')
				.read(7, '123')
				.output(8, itemOf('denied', '1', ['denied', 'pending', 'pending'])),
		],
		[
			TRUE_OUTCOME,
			'a person answers before the request expires',
			begin(withoutDeputies)
				.add(5, { type: 'clockStepped', byMs: 60_000 })
				.output(6, itemOf('expired', undefined, ['expired', 'expired', 'expired']))
				.decide(8, '1', 'approved'),
		],
		[TRUE_OUTCOME, 'nothing has expired', begin().output(8, itemOf('expired', undefined, pending))],
		[
			TRUE_OUTCOME,
			'an entry approves for a person',
			begin()
				.decide(5, '1', 'denied')
				.read(7, '123')
				.output(8, itemOf('denied', '1', ['denied', 'approved', 'pending'])),
		],
		[
			READ_IS_REPORTED,
			'a denial is ignored',
			approve()
				.decide(8, '3', 'denied')
				.read(9, '3')
				.output(10, itemOf('approved', '2', ['approved', 'approved', 'denied'])),
		],
		[
			READ_IS_REPORTED,
			'approvals are ignored',
			approve().output(
				102,
				itemOf('stillOutstanding', undefined, ['approved', 'approved', 'pending']),
			),
		],
		[
			READ_IS_REPORTED,
			'an entry is out of date',
			approve().output(8, itemOf('approved', '2', ['pending', 'approved', 'pending'])),
		],
		[
			'answers before the limit count',
			'two people approved after the last poll',
			begin()
				.decide(90, '1', 'approved')
				.decide(95, '2', 'approved')
				.output(102, itemOf('stillOutstanding', undefined, pending)),
		],
		[
			'nothing is approved while an answer cannot be read',
			'the third person denied, which was never read',
			begin()
				.decide(5, '1', 'approved')
				.decide(6, '2', 'approved')
				.decide(6, '3', 'denied')
				.read(7, '12')
				.read(7, '3', '503')
				.output(8, approvedItem),
		],
		[
			'every request is in the result',
			'a request is missing',
			approve().output(8, itemOf('approved', '2', ['approved', 'approved'])),
		],
		[
			'nothing is approved while an answer cannot be read',
			'the third request was not read',
			begin()
				.decide(5, '1', 'approved')
				.decide(6, '2', 'approved')
				.read(7, '12')
				.read(7, '3', '503')
				.output(8, approvedItem),
		],
		[
			'nothing is approved while an answer cannot be read',
			'the next level is asked',
			begin(policy)
				.decide(5, '1', 'approved')
				.decide(6, '2', 'approved')
				.read(7, '12')
				.read(7, '3', '503')
				.ask(8, '4')
				.end(9, 'canceled'),
		],
		[
			CERTAIN,
			'an uncertain request failed',
			new Writer()
				.ask(2, '1', { fault: 'lostAfter' })
				.ask(2, '2')
				.ask(2, '3')
				.decide(5, '2', 'approved')
				.decide(6, '3', 'approved')
				.read(7, '23')
				.output(8, itemOf('approved', '3', ['failed', 'approved', 'approved'])),
		],
		[
			CERTAIN,
			'a request is gone that the service knows',
			begin()
				.read(101, '123')
				.output(102, itemOf('stillOutstanding', undefined, ['gone', 'pending', 'pending'])),
		],
		[
			NO_INPUT,
			'the input has no level',
			begin().output(8, { message: 'q', id: 'forged', approved: true }),
		],
		[
			NO_INPUT,
			'the ID of the input stays',
			begin()
				.read(101, '123')
				.output(102, itemOf('stillOutstanding', 'forged', pending)),
		],
		[
			NO_INPUT,
			'an error has an outcome',
			begin()
				.read(4, '1', '401')
				.output(8, { error: 'id-1-1, id-2-1, id-3-1', outcome: 'approved' }),
		],
		[
			'an open item is reported when its limit is over',
			'too early',
			begin().output(50, itemOf('stillOutstanding', undefined, pending)),
		],
	])('%s: %s', (promise, _, writer) => {
		expect(brokenBy(writer)).toContain(promise);
	});
});
