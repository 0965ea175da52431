// Protects polling for parked executions after a restart: a checkpoint lists them, and a damaged one counts as empty.
import fc from 'fast-check';

import type { PollDefinition } from '../../../nodes/engine/http/pollOnce';
import { readCheckpoint, toCheckpoint } from '../../../nodes/engine/park/checkpoint';
import type { ParkedExecution } from '../../../nodes/engine/park/poller';

const poll: PollDefinition = {
	request: () => ({ method: 'GET', path: '/' }),
	interpret: () => ({ kind: 'pending' }),
};
const NOW = 1000;
const read = (checkpoint: unknown) =>
	readCheckpoint(
		{ checkpoint },
		{
			group: 'group',
			poll,
			now: NOW,
			locate: (executionId, token) => ({
				key: `${executionId}:node`,
				url: `https://n8n.example/${executionId}?${token}`,
				statusUrl: `https://n8n.example/${executionId}/status`,
			}),
		},
	);
/** Returns a checkpoint as another process has stored it. */
const toForeignCheckpoint = (executions: ParkedExecution[]) => {
	const [, ...entries] = JSON.parse(toCheckpoint(executions)) as unknown[];
	return JSON.stringify(['another process', ...entries]);
};

const times = fc.integer({ min: NOW + 1, max: 2 ** 45 });
const parkedExecutions: fc.Arbitrary<ParkedExecution> = fc.record({
	executionId: fc.stringMatching(/^[0-9]{1,9}$/),
	token: fc.stringMatching(/^[0-9a-f]{0,64}$/),
	timerAt: times,
	endsAt: fc.oneof(times, fc.constant(Infinity)),
	ids: fc.array(
		fc.record(
			{
				id: fc.string({ minLength: 1 }),
				poll: fc.constant(poll),
				intervalMs: fc.integer({ min: 2000, max: 60_000 }),
				since: times,
				subject: fc.string(),
			},
			{ requiredKeys: ['id', 'poll', 'intervalMs', 'since'] },
		),
		{ minLength: 1, maxLength: 5 },
	),
	key: fc.constant('set below'),
	url: fc.constant('set below'),
	statusUrl: fc.constant('set below'),
	isDue: fc.constant(() => false),
	parkedAt: times,
	isLong: fc.boolean(),
});

it('another process reads what a checkpoint lists, and locates each execution itself', () => {
	fc.assert(
		fc.property(fc.array(parkedExecutions), (executions) => {
			const restored = read(toForeignCheckpoint(executions));
			expect(restored).toHaveLength(executions.length);
			restored.forEach(({ isDue, ...one }, index) => {
				const { executionId, token, timerAt, endsAt, ids } = executions[index]!;
				expect(one).toEqual({
					executionId,
					token,
					timerAt,
					endsAt,
					ids,
					key: `${executionId}:node`,
					url: `https://n8n.example/${executionId}?${token}`,
					statusUrl: `https://n8n.example/${executionId}/status`,
					group: 'group',
					parkedAt: -Infinity,
					isLong: true,
				});
				expect(isDue(new Map())).toBe(false);
				expect(isDue(new Map(one.ids.map((id) => [id, 'approved'])))).toBe(true);
			});
		}),
	);
});

it('the process that stored a checkpoint ignores it, since it polls for these executions already', () => {
	fc.assert(
		fc.property(fc.array(parkedExecutions), (executions) => {
			expect(read(toCheckpoint(executions))).toEqual([]);
		}),
	);
});

it('the timer of an execution is unknown if it has passed', () => {
	const [parked] = fc.sample(parkedExecutions, 1);
	const [restored] = read(toForeignCheckpoint([{ ...parked!, timerAt: NOW - 1 }]));
	expect(restored!.timerAt).toBe(Infinity);
});

it.each([
	undefined,
	7,
	'',
	'{',
	'null',
	'{}',
	'["p"]',
	'["p",null,7,"x",[],{}]',
	'["p",["1","t",0,0,"ids"],["1","t",0,0,[]],["1","t",0,0,[null]],[1,"t",0,0,[["a",1,1,null]]]]',
])('a damaged list counts as empty: %p', (checkpoint) => {
	expect(read(checkpoint)).toEqual([]);
	expect(readCheckpoint(checkpoint, {} as never)).toEqual([]);
});
