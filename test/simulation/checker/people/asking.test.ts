// Protects what the simulator proves about requests to several people: it finds one that is wrong, repeated, early or late.
import { approve, approvedItem, begin, brokenBy, oneLevel, policy } from './writer';
import type { Writer } from './writer';

describe('broken promises about requests and executions', () => {
	it.each<[string, string, Writer]>([
		[
			'a person is asked once',
			'a second request',
			approve().ask(8, '3', { nth: 2 }).end(9, 'canceled'),
		],
		[
			'a person is asked once',
			'a deputy is reminded',
			begin({ ...oneLevel, remindAfterMs: 20_000 })
				.ask(33, '9')
				.ask(34, '9', { nth: 2 })
				.end(35, 'canceled'),
		],
		[
			'a reminder is sent only when due',
			'too early',
			begin({ ...oneLevel, remindAfterMs: 20_000 })
				.ask(10, '1', { nth: 2 })
				.end(11, 'canceled'),
		],
		[
			'only people who have not answered are reminded',
			'the answer was read',
			begin({ ...oneLevel, remindAfterMs: 20_000 })
				.decide(5, '1', 'approved')
				.read(6, '123')
				.ask(30, '1', { nth: 2 })
				.end(31, 'canceled'),
		],
		[
			'only the people of the policy are asked',
			'the requester',
			begin().ask(4, '5').end(9, 'canceled'),
		],
		[
			'a level is asked when the one before it has approved',
			'too early',
			begin(policy).decide(5, '1', 'approved').ask(6, '4').end(9, 'canceled'),
		],
		['a deputy is asked only when due', 'too early', begin().ask(20, '9').end(21, 'canceled')],
		[
			'a deputy is asked only if the level is undecided',
			'the level has approved',
			approve().ask(35, '9').end(36, 'canceled'),
		],
		[
			'a denial ends the asking',
			'a deputy is asked',
			begin().decide(5, '1', 'denied').read(6, '123').ask(33, '9').end(34, 'canceled'),
		],
		[
			'nobody is asked after the end',
			'a deputy is asked',
			begin().end(10, 'canceled').ask(33, '9'),
		],
		[
			'no request outlives the time limit',
			'the second level expires too late',
			approve(policy).ask(90, '4', { expiresInMs: 80_000 }).end(91, 'canceled'),
		],
		[
			'an item fails only if too few people can be asked',
			'three were asked',
			begin()
				.read(4, '1', '503')
				.end(5, 'error', "Too few people of 'First' could be asked: id-1-1, id-2-1, id-3-1"),
		],
		[
			'an item fails only if something failed',
			'nothing did',
			begin().end(5, 'error', 'No: id-1-1, id-2-1, id-3-1'),
		],
		[
			'a failure says that people were asked',
			'the error names nobody',
			begin().read(4, '1', '401').end(5, 'error', 'The credential is rejected'),
		],
		[
			'all items are returned once, in order',
			'the node runs again',
			approve().output(8, approvedItem).output(9, approvedItem),
		],
		[
			'a parked execution survives a crash',
			'it is lost',
			begin().add(4, { type: 'executionParked', execution: '1' }).end(9, 'crashed'),
		],
		['every item ends in time', 'it ends too late', approve().output(150, approvedItem)],
		[
			'every item ends in time',
			'a denial is read too late',
			begin({ ...oneLevel, limitMs: undefined })
				.decide(5, '1', 'denied')
				.read(6, '1', '503')
				.read(7, '23')
				.end(800, 'canceled'),
		],
		[
			'every item ends in time',
			'the poller has half a minute too much',
			approve().output(50, approvedItem),
		],
		[
			'a deputy is asked in time',
			'it is never asked',
			begin({ ...oneLevel, limitMs: undefined })
				.read(700, '123')
				.end(700, 'canceled'),
		],
		[
			'the next level is asked in time',
			'it is never asked',
			approve({ ...policy, limitMs: 2_000_000 }).end(900, 'canceled'),
		],
		[
			'Retry-After is kept',
			'the next request comes at once',
			begin()
				.add(4, {
					type: 'requested',
					request: 91,
					process: 1,
					method: 'GET',
					path: '/approval_requests/id-1-1',
				})
				.add(4, { type: 'responded', request: 91, status: 429, retryAfterMs: 9000, fault: '429' })
				.read(5, '1')
				.end(6, 'canceled'),
		],
	])('%s: %s', (promise, _, writer) => {
		expect(brokenBy(writer)).toContain(promise);
	});
});
