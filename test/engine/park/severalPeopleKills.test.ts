import { FIRST_EXECUTION_ID } from './parkRig';
import {
	limitWaitTime,
	manager,
	severalPeopleParameters,
	twoOfThree,
	useSeveralPeople,
	withDeputy,
} from './severalPeopleLevels';

// A kill of n8n never causes a second request to a person. n8n marks executions that were running as crashed.

const MINUTE = 60_000;
const {
	rig,
	open,
	start,
	advanceTime,
	readNextInputs,
	readStatus,
	decideLastRequestOf,
	countRequests,
} = useSeveralPeople();

describe('kills while the execution is parked', () => {
	/** Events, six minutes apart: the manager decides, then a person of finance, then the deputy. */
	const waitOnly = () => undefined;
	const events: Array<() => void> = [
		waitOnly,
		() => decideLastRequestOf('9'),
		() => decideLastRequestOf('1'),
		waitOnly,
		waitOnly,
		() => decideLastRequestOf('7'),
	];

	it.each(events.map((_, index) => index))(
		'no request is sent twice if n8n is killed before and after event %d',
		async (killIndex) => {
			open(severalPeopleParameters([manager, withDeputy]));
			await start('One?');
			for (const [index, applyEvent] of events.entries()) {
				if (index === killIndex) rig.host.restartProcess();
				applyEvent();
				if (index === killIndex) rig.host.restartProcess();
				await advanceTime(6 * MINUTE);
				while (readStatus(FIRST_EXECUTION_ID) === 'running') await advanceTime(100);
			}
			await advanceTime(6 * MINUTE);
			expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
				[{ outcome: 'approved', level: 'Finance' }],
			]);
			expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1, 7: 1 });
		},
	);
});

/** Minutes that pass before each person decides. The deputy (user 7) gets a request only after ten minutes. */
const MINUTES_BEFORE_DECISION = [
	['9', 6],
	['1', 6],
	['7', 12],
] as const;
/** Requests of the node itself while its execution is running: it sends, and polls before it is parked and after a resume. */
const NODE_REQUESTS = Array.from({ length: 20 }, (_, index) => ['running', index + 1] as const);
/** Requests of the poller while the execution is parked: the first ones, and some later ones. */
const POLLER_REQUESTS = [1, 2, 20, 100].map((count) => ['waiting', count] as const);

it.each([...NODE_REQUESTS, ...POLLER_REQUESTS])(
	'no request is sent twice if n8n is killed while the execution is %s, at request %d',
	async (status, killAtRequest) => {
		open(severalPeopleParameters([manager, withDeputy]));
		let requestCount = 0;
		rig.service.replaceResponse = () => {
			if (readStatus(FIRST_EXECUTION_ID) === status && ++requestCount === killAtRequest)
				rig.host.restartProcess();
			return undefined;
		};
		void rig.host.start([{ question: 'One?' }]);
		for (const [user, minutes] of MINUTES_BEFORE_DECISION) {
			await advanceTime(minutes * MINUTE);
			if (rig.service.uuidsSentTo(user).length > 0) decideLastRequestOf(user);
		}
		await advanceTime(6 * MINUTE);
		expect(requestCount).toBeGreaterThanOrEqual(killAtRequest);
		for (const count of Object.values(countRequests())) expect(count).toBe(1);
		if (status === 'running') {
			expect(readStatus(FIRST_EXECUTION_ID)).toBe('crashed');
			expect(readNextInputs(FIRST_EXECUTION_ID)).toBeUndefined();
		} else {
			expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
				[{ outcome: 'approved', level: 'Finance' }],
			]);
			expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1, 7: 1 });
		}
	},
);

it('the tested kills include every request by which the node sends something to a person', async () => {
	open(severalPeopleParameters([manager, withDeputy]));
	/** Number of the node's requests until each request to a person was sent. */
	const sendPositions: number[] = [];
	let requestCount = 0;
	rig.service.replaceResponse = (method) => {
		if (readStatus(FIRST_EXECUTION_ID) === 'running') requestCount++;
		if (method === 'POST') sendPositions.push(requestCount);
		return undefined;
	};
	void rig.host.start([{ question: 'One?' }]);
	for (const [user, minutes] of MINUTES_BEFORE_DECISION) {
		await advanceTime(minutes * MINUTE);
		decideLastRequestOf(user);
	}
	expect(sendPositions).toHaveLength(5);
	expect(Math.max(...sendPositions)).toBeLessThanOrEqual(NODE_REQUESTS.length);
});

describe('kills before the time limit of all levels', () => {
	const SECOND = 1000;
	/** n8n's own timer resumes the execution this long before the limit, if no poller does. */
	const LAST_CHECK_MS = 80 * SECOND;

	it.each([
		[4, 10 * SECOND],
		[5, 10 * SECOND],
		[5, 3 * MINUTE],
		[6, 4 * MINUTE],
		[7, 5.5 * MINUTE],
		[8, 6 * MINUTE],
		[10, 8 * MINUTE],
		[30, 28 * MINUTE],
	])(
		'with a limit of %d minutes and a kill after %d ms, the next level still gets its requests',
		async (minutes, killAfterMs) => {
			const limitMs = minutes * MINUTE;
			open(severalPeopleParameters([manager, twoOfThree], limitWaitTime(minutes)));
			void rig.host.start([{ question: 'One?' }]);
			await advanceTime(killAfterMs);
			rig.host.restartProcess();
			await advanceTime(SECOND);
			decideLastRequestOf('9');
			await advanceTime(limitMs - LAST_CHECK_MS + 2 * SECOND - killAfterMs);
			expect(countRequests()).toEqual({ 9: 1, 1: 1, 2: 1, 3: 1 });
			for (const user of ['1', '2']) decideLastRequestOf(user);
			await advanceTime(10 * SECOND);
			expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
				[{ outcome: 'approved', level: 'Finance' }],
			]);
		},
	);

	it('deputies that are due before the limit get their requests', async () => {
		const level = { ...withDeputy, deputiesAfter: 3.5 };
		open(severalPeopleParameters([level], limitWaitTime(5)));
		void rig.host.start([{ question: 'One?' }]);
		await advanceTime(10 * SECOND);
		rig.host.restartProcess();
		await advanceTime(5 * MINUTE - LAST_CHECK_MS);
		expect(countRequests()).toEqual({ 1: 1, 2: 1, 3: 1, 7: 1 });
	});

	it('a level that approved too late to ask the next one ends as stillOutstanding', async () => {
		open(severalPeopleParameters([manager, twoOfThree], limitWaitTime(5)));
		void rig.host.start([{ question: 'One?' }]);
		await advanceTime(4 * MINUTE);
		rig.host.restartProcess();
		decideLastRequestOf('9');
		await advanceTime(3 * MINUTE);
		expect(countRequests()).toEqual({ 9: 1 });
		expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
			[{ outcome: 'stillOutstanding', level: 'Manager', decisions: [{ outcome: 'approved' }] }],
		]);
	});
});

it.each([
	['the only level', [manager]],
	['the last level', [{ ...manager, people: '8' }, manager]],
])('the poller reports a decision of %s at once in the last five minutes', async (_, levels) => {
	open(severalPeopleParameters(levels, limitWaitTime(5)));
	await start('One?');
	if (levels.length > 1) decideLastRequestOf('8');
	// Two seconds before n8n's own timer, if it were 80 seconds before the limit.
	await advanceTime((5 * 60 - 82) * 1000);
	decideLastRequestOf('9');
	await advanceTime(6000);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
});
