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
const anyDurationMs = fc.integer({ min: 1, max: 3 * HOUR });
/** Statuses of requests that could be read, or were not sent. */
export const READ_STATUSES = [
	'pending',
	'approved',
	'denied',
	'expired',
	'gone',
	'failed',
	'unclear',
] as const;
const ALL_STATUSES = [...READ_STATUSES, 'unread', 'credentialRejected'] as const;

/** Policies of up to three levels; no person is in a policy twice. */
export const anyPolicy: fc.Arbitrary<ApprovalPolicy> = fc
	.record({
		sizes: fc.array(
			fc.record({
				people: fc.integer({ min: 1, max: 4 }),
				needed: fc.integer({ min: 1, max: 4 }),
				deputies: fc.integer({ min: 0, max: 2 }),
				deputiesAfterMs: anyDurationMs,
			}),
			{ minLength: 1, maxLength: 3 },
		),
		oneDenialEnds: fc.boolean(),
		expiresAfterMs: anyDurationMs,
		limitAt: fc.option(
			anyDurationMs.map((ms) => START + ms),
			{ nil: undefined },
		),
		remindAfterMs: fc.option(anyDurationMs, { nil: undefined }),
	})
	.map(({ sizes, ...settings }) => {
		let nextId = 100;
		const createIds = (count: number) => Array.from({ length: count }, () => `${nextId++}`);
		const levels = sizes.map(
			({ people, needed, deputies, deputiesAfterMs }, index): ApprovalLevel => ({
				name: `Level ${index + 1}`,
				people: createIds(people),
				needed: Math.min(needed, people),
				deputies: createIds(deputies),
				...(deputies > 0 && { deputiesAfterMs }),
			}),
		);
		return { levels, ...settings };
	});

/** The arguments of one decision. */
export interface QuorumCase {
	policy: ApprovalPolicy;
	progress: QuorumProgress;
	now: number;
}

/** Any progress of any policy, with requests of these statuses to any of its people at any level. */
export const casesWith = (statuses: readonly PersonRequest['status'][]): fc.Arbitrary<QuorumCase> =>
	anyPolicy.chain((policy) => {
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
					list.map(({ recipient, ...request }) => ({ ...recipient, ...request })),
				),
			}),
			now: fc.integer({ min: START - HOUR, max: START + 4 * HOUR }),
		});
	});

/** Cases with requests of any status. */
export const anyCase = casesWith(ALL_STATUSES);
/** Cases in which every request could be read. */
export const fullyReadCase = casesWith(READ_STATUSES);

export const decideCase = ({ policy, progress, now }: QuorumCase) => decide(policy, progress, now);

/** Checks a property with many random cases. */
export const checkProperty = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void =>
	fc.assert(fc.property(arbitrary, property), { numRuns: NUM_RUNS });
