// Protects what the simulator proves about writes: it finds one that is repeated, not reported or reported wrongly.
import type { NewEvent } from '../history';
import {
	brokenBy,
	contact,
	ended,
	historyOf,
	output,
	requested,
	responded,
	started,
	writing,
} from './writeEvents';
import { checkWrites } from './writes';

const item = { mark: 'mark1', Email: 'a@x.org' };
const post = (request: number) =>
	requested(request, 'POST', '/registrations', { LastName: 'mark1' });
const lost = responded(1, undefined, 'lostAfter');
const unclear = { error: 'It is unclear whether the person was registered' };

describe('single writes', () => {
	const play = (...events: NewEvent[]) => brokenBy(writing({}), started(item), ...events, ended);

	it('a confirmed result, and a lost response that is reported as unclear, break no promise', () => {
		expect(play(post(1), responded(1, 200), output({ LastName: 'mark1' }))).toEqual([]);
		expect(play(post(1), lost, output(unclear))).toEqual([]);
	});

	it('a write that was certainly not carried out may be sent again', () => {
		const events = [post(1), responded(1, 429, '429'), post(2), responded(2, 200), output({})];
		expect(play(...events)).toEqual([]);
	});

	it.each<[string, NewEvent[]]>([
		['nothing is sent twice', [post(1), lost, post(2), responded(2, 200), output({})]],
		['no success that the service did not confirm', [post(1), lost, output({})]],
		['no success that the service did not confirm', [output({})]],
		['uncertain is never reported as certain', [post(1), lost, output({ error: 'No' })]],
		['a confirmed write is reported', [post(1), responded(1, 200), output({ error: 'No' })]],
		[
			'the input does not pass for a result',
			[post(1), responded(1, 200), output({ ContactId: 'forged' })],
		],
		['every item has one result', [post(1), responded(1, 200)]],
		['every item has one result', [post(1), responded(1, 200), output({}), output({})]],
	])('%s', (promise, events) => {
		expect(play(...events)).toContain(promise);
	});

	it('an item fails only if something failed', () => {
		expect(play(output({ error: 'No' }))).toEqual(['an item fails only if something failed']);
	});

	it('an execution crashes only with its process', () => {
		const crashed: NewEvent = { type: 'executionEnded', execution: '1', status: 'crashed' };
		expect(brokenBy(writing({}), started(item), crashed)).toEqual(['an execution ends']);
	});

	it('Retry-After is kept', () => {
		const limited: NewEvent = { type: 'responded', request: 1, status: 429, retryAfterMs: 70_000 };
		const events = [post(1), limited, post(2), responded(2, 200), output({})];
		expect(play(...events)).toEqual(['Retry-After is kept']);
	});
});

describe('Create or Update', () => {
	const search = requested(1, 'POST', '/contacts/search', { Email: 'a@x.org' });
	const add = requested(2, 'POST', '/contacts', [{ LastName: 'mark1', Email: 'a@x.org' }]);
	const play = (...events: NewEvent[]) =>
		checkWrites(
			historyOf(
				writing({ operation: 'upsertContact' }),
				...events,
				responded(2, 200),
				output({ created: true }),
				ended,
			),
		);
	const added = contact('2', 'a@x.org', 'mark1', 2);

	it('nobody is added twice', () => {
		const { violations } = play(contact('1', 'a@x.org', 'Ng'), started(item), search, add, added);
		expect(violations.map(({ promise }) => promise)).toEqual(['nobody is added twice']);
	});

	it('a person who was added after the search excuses a second record', () => {
		const { violations, exceptions } = play(
			started(item),
			search,
			contact('1', 'a@x.org', 'Ng'),
			add,
			added,
		);
		expect(violations).toEqual([]);
		expect([...exceptions.keys()]).toEqual([
			'a person was added between the search and the addition',
		]);
	});
});
