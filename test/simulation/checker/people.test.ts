// Protects what the simulator proves about approvals by several people: only a documented limit excuses a broken promise.
import type { ChosenPolicy, NewEvent } from '../history';
import { checkPeople } from './people';
import {
	approve,
	approvedItem,
	begin,
	brokenBy,
	entry,
	itemOf,
	oneLevel,
	policy,
	withoutDeputies,
	Writer,
} from './people/writer';

describe('histories that break no promise', () => {
	it.each<[string, Writer]>([
		['two of three approve', approve().output(8, approvedItem)],
		[
			'a second level follows',
			approve(policy)
				.ask(8, '4')
				.decide(9, '4', 'approved')
				.read(10, '4')
				.output(
					11,
					itemOf('approved', '4', ['approved', 'approved', 'pending'], {
						level: 'Second',
						decisions: [...approvedItem.decisions, entry('4', 'approved', 'Second')],
					}),
				),
		],
		[
			'one denies',
			begin()
				.decide(5, '1', 'denied')
				.read(7, '123')
				.output(8, itemOf('denied', '1', ['denied', 'pending', 'pending'])),
		],
		[
			'a deputy is asked when due',
			begin()
				.decide(5, '1', 'approved')
				.read(7, '123')
				.ask(33, '9')
				.decide(34, '9', 'approved')
				.read(35, '239')
				.output(36, {
					...itemOf('approved', '9', ['approved', 'pending', 'pending']),
					decisions: [
						...itemOf('', undefined, ['approved', 'pending', 'pending']).decisions,
						entry('9', 'approved'),
					],
				}),
		],
		[
			'the limit ends the wait',
			begin()
				.read(101, '123')
				.output(102, itemOf('stillOutstanding', undefined, ['pending', 'pending', 'pending'])),
		],
		[
			'a denial of a request that the service does not know is not seen',
			begin({ ...oneLevel, limitMs: undefined })
				.decide(5, '1', 'denied')
				.read(6, '1', 'unknown')
				.read(7, '23')
				.end(800, 'canceled'),
		],
		[
			'requests expire by the clock, and a person answers later',
			begin(withoutDeputies)
				.add(5, { type: 'clockStepped', byMs: 700_000 })
				.read(6, '123')
				.output(7, itemOf('expired', undefined, ['expired', 'expired', 'expired']))
				.decide(8, '1', 'approved'),
		],
		[
			'the clock is set forward in the millisecond of the start',
			new Writer()
				.add(1, { type: 'clockStepped', byMs: 3_600_000 })
				.ask(1, '1')
				.ask(1, '2')
				.ask(1, '3')
				.read(2, '123')
				.output(3, itemOf('stillOutstanding', undefined, ['pending', 'pending', 'pending'])),
		],
		[
			'too few people can be asked',
			new Writer()
				.ask(2, '1', { isSent: false })
				.ask(2, '2', { isSent: false })
				.ask(2, '3', { fault: 'lostAfter' })
				.end(3, 'error', "Too few people of 'First' could be asked. It's unclear whether one was."),
		],
	])('%s', (_, { history }) => {
		const { violations, exceptions } = checkPeople(history);
		expect(violations).toEqual([]);
		expect([...exceptions.keys()]).toEqual([]);
	});
});

const pending = ['pending', 'pending', 'pending'];

describe('documented limits', () => {
	const excusesOf = ({ history }: Writer) => {
		const { violations, exceptions } = checkPeople(history);
		expect(violations).toEqual([]);
		return [...exceptions.keys()];
	};
	const unlimited: ChosenPolicy = { ...oneLevel, limitMs: undefined };
	const outstanding = itemOf('stillOutstanding', undefined, pending, { trouble: 'Unavailable' });

	it('requests that cannot be read end the wait when they expire, not before', () => {
		expect(excusesOf(begin(unlimited).read(80, '123', '401').output(82, outstanding))).toEqual([
			'requests that cannot be read end the wait when they expire',
		]);
		const tooEarly = begin(unlimited).read(30, '123', '401').output(32, outstanding);
		expect(brokenBy(tooEarly)).toContain('an open item is reported when its limit is over');
		const readable = begin(unlimited).read(80, '123').output(82, outstanding);
		expect(brokenBy(readable)).toContain('an open item is reported when its limit is over');
	});

	it('an execution that cannot be parked waits for an hour at most', () => {
		const items = itemOf('stillOutstanding', undefined, pending);
		const longLived: ChosenPolicy = {
			...withoutDeputies,
			limitMs: undefined,
			expiresAfterMs: 86_400_000,
		};
		const write = () =>
			new Writer(longLived)
				.ask(2, '1', { expiresInMs: 86_400_000 })
				.ask(2, '2', { expiresInMs: 86_400_000 })
				.ask(2, '3', { expiresInMs: 86_400_000 });
		expect(excusesOf(write().output(3602, items))).toEqual([
			'an execution that cannot be parked waits for an hour at most',
		]);
		const parked = write().add(4, { type: 'executionParked', execution: '1' });
		expect(brokenBy(parked.output(3602, items))).toEqual([
			'an open item is reported when its limit is over',
		]);
	});

	it('n8n resumes by the wall clock, which was set back, not forward', () => {
		const step = (byMs: number) =>
			begin()
				.add(4, { type: 'clockStepped', byMs })
				.read(650, '123')
				.output(651, itemOf('stillOutstanding', undefined, pending));
		expect(excusesOf(step(-600_000))).toEqual([
			'n8n resumes by the wall clock, which was set back',
		]);
		expect(brokenBy(step(600_000))).toEqual(['every item ends in time']);
		const back = () =>
			approve({ ...oneLevel, limitMs: undefined })
				.add(8, { type: 'clockStepped', byMs: -3_600_000 })
				.add(8, { type: 'executionParked', execution: '1' });
		const end = (writer: Writer) =>
			writer
				.add(900, { type: 'ended' })
				.add(900, { type: 'processEnded', process: 1, killed: false });
		const restarted = back().add(9, { type: 'processEnded', process: 1, killed: false });
		expect(excusesOf(end(restarted))).toEqual([
			'n8n resumes by the wall clock, which was set back',
		]);
		expect(brokenBy(end(back()))).toEqual(['every item ends in time']);
	});

	it('n8n was killed while the execution was running, not while it was parked', () => {
		const kill: NewEvent = { type: 'processEnded', process: 1, killed: true };
		expect(excusesOf(begin().add(4, kill).end(9, 'crashed'))).toEqual([
			'n8n was killed while the execution was running',
		]);
		const parked = begin().add(4, { type: 'executionParked', execution: '1' });
		expect(brokenBy(parked.add(5, kill).end(9, 'crashed'))).toEqual([
			'a parked execution survives a crash',
		]);
	});
});

describe('the next people before the limit', () => {
	const limited: ChosenPolicy = { ...policy, limitMs: 300_000 };
	/** The poller is lost, and the level that approves is not followed by the next one. */
	const restart = (parkedAtS: number, approvedAtS: number) =>
		begin(limited)
			.add(parkedAtS, { type: 'executionParked', execution: '1' })
			.add(parkedAtS + 1, { type: 'processEnded', process: 1, killed: true })
			.add(parkedAtS + 2, { type: 'processStarted', process: 2 })
			.ask(parkedAtS + 3, '9')
			.decide(approvedAtS, '1', 'approved')
			.decide(approvedAtS, '2', 'approved')
			.read(302, '123')
			.output(303, {
				...itemOf('stillOutstanding', undefined, ['approved', 'approved', 'pending']),
				decisions: [
					...itemOf('', undefined, ['approved', 'approved', 'pending']).decisions,
					entry('9', 'pending'),
				],
			});

	it.each([
		[60, 180],
		[40, 100],
	])('are asked if the execution was parked at %d and approved at %d', (parkedAtS, approvedAtS) => {
		expect(brokenBy(restart(parkedAtS, approvedAtS))).toEqual(['the next level is asked in time']);
	});

	it('need not be asked if a late check finds a denial', () => {
		const denied = (deniedAtS: number) =>
			begin({ ...limited, limitMs: 900_000 })
				.add(40, { type: 'executionParked', execution: '1' })
				.decide(50, '1', 'approved')
				.decide(51, '2', 'approved')
				.add(60, { type: 'processEnded', process: 1, killed: true })
				.add(62, { type: 'processStarted', process: 2 })
				.decide(deniedAtS, '3', 'denied')
				.read(deniedAtS + 10, '123')
				.output(deniedAtS + 10, itemOf('denied', '3', ['approved', 'approved', 'denied']));
		expect(brokenBy(denied(300))).toEqual([]);
		expect(brokenBy(denied(500))).toContain('the next level is asked in time');
	});

	it('need not be asked if the execution was parked too late', () => {
		expect(brokenBy(restart(72, 180))).toEqual([]);
	});

	it('need not be asked if the level approves too late', () => {
		expect(brokenBy(restart(60, 215))).toEqual([]);
	});
});
