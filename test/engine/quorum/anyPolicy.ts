import fc from 'fast-check';

import { decide } from '../../../nodes/engine/quorum/decide';
import type {
	ApprovalLevel,
	PersonRequest,
	ApprovalPolicy,
	QuorumProgress,
} from '../../../nodes/engine/quorum/types';
import { scaleRunCount } from '../../support/scaleRunCount';
import { HOUR, START } from './policies';

const NUM_RUNS = scaleRunCount(300);
const duration = fc.integer({ min: 1, max: 3 * HOUR });
export const READ = [
	'pending',
	'approved',
	'denied',
	'expired',
	'gone',
	'failed',
	'unclear',
] as const;
const ANY = [...READ, 'unread', 'credentialRejected'] as const;

/** Policies of up to three levels; no person is in a policy twice. */
export const policies: fc.Arbitrary<ApprovalPolicy> = fc
	.record({
		sizes: fc.array(
			fc.record({
				people: fc.integer({ min: 1, max: 4 }),
				needed: fc.integer({ min: 1, max: 4 }),
				deputies: fc.integer({ min: 0, max: 2 }),
				deputiesAfterMs: duration,
			}),
			{ minLength: 1, maxLength: 3 },
		),
		oneDenialEnds: fc.boolean(),
		expiresAfterMs: duration,
		limitAt: fc.option(
			duration.map((ms) => START + ms),
			{ nil: undefined },
		),
		remindAfterMs: fc.option(duration, { nil: undefined }),
	})
	.map(({ sizes, ...rest }) => {
		let id = 100;
		const ids = (count: number) => Array.from({ length: count }, () => `${id++}`);
		const levels = sizes.map(
			({ people, needed, deputies, deputiesAfterMs }, index): ApprovalLevel => ({
				name: `Level ${index + 1}`,
				people: ids(people),
				needed: Math.min(needed, people),
				deputies: ids(deputies),
				...(deputies > 0 && { deputiesAfterMs }),
			}),
		);
		return { levels, ...rest };
	});

export interface Case {
	policy: ApprovalPolicy;
	progress: QuorumProgress;
	now: number;
}

/** Any progress of any policy, with any requests to its people at any level. */
export const casesOf = (statuses: readonly PersonRequest['status'][]): fc.Arbitrary<Case> =>
	policies.chain((policy) => {
		const recipients = policy.levels.flatMap(({ people, deputies }, level) =>
			[...people, ...deputies].map((person) => ({ level, person })),
		);
		const requests = fc.uniqueArray(
			fc.record({
				recipient: fc.constantFrom(...recipients),
				reminder: fc.boolean(),
				status: fc.constantFrom(...statuses),
				expiresAt: fc.integer({ min: START, max: START + 3 * HOUR }),
				respondedAt: fc.option(fc.integer({ min: START, max: START + 5 }), { nil: undefined }),
			}),
			{ maxLength: 12, selector: ({ recipient, reminder }) => `${recipient.person} ${reminder}` },
		);
		return fc.record({
			policy: fc.constant(policy),
			progress: fc.record({
				level: fc.integer({ min: 0, max: policy.levels.length - 1 }),
				levelStartedAt: fc.integer({ min: START - HOUR, max: START + HOUR }),
				requests: requests.map((list) =>
					list.map(({ recipient, ...rest }) => ({ ...recipient, ...rest })),
				),
			}),
			now: fc.integer({ min: START - HOUR, max: START + 4 * HOUR }),
		});
	});

export const anyCase = casesOf(ANY);
export const readCase = casesOf(READ);

export const decideCase = ({ policy, progress, now }: Case) => decide(policy, progress, now);

/** Checks a property with many random cases. */
export const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void =>
	fc.assert(fc.property(arbitrary, property), { numRuns: NUM_RUNS });
