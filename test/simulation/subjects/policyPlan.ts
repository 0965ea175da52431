import fc from 'fast-check';

import type { ChosenPolicy } from '../history';
import { anyTime } from './worldPlan';

/** Users of the sandbox's two-factor service. The first five exist from the start. */
export const USERS = Array.from({ length: 12 }, (_, index) => `${100_001 + index}`);
/** A user whom the service does not know. */
const UNKNOWN_USER = '199999';

/** Reaction of a person to a request. */
export interface PlannedAnswer {
	/** Undefined if the person never answers. */
	answer?: 'approved' | 'denied' | 'expired';
	afterMs: number;
	/** When the person tries to answer the contrary. */
	againAfterMs?: number;
	/** Whether the service's record names another person than the one that was asked. */
	isByAnother?: boolean;
	/** Whether the service fails each time the request is read. */
	isUnreadable?: boolean;
}

/** One item that several people decide. */
export interface PlannedQuestion {
	/** Answers to the requests, in turn. */
	answers: PlannedAnswer[];
}

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

const anyLevel = fc.record({
	peopleCount: fc.integer({ min: 1, max: 3 }),
	needed: fc.constantFrom('all' as const, 'any' as const, 1, 2, 2, 3),
	deputyCount: fc.constantFrom(0, 1),
	/** Share of the time until the requests expire, in percent. */
	deputiesAfter: fc.constantFrom(2, 5, 15, 50),
	hasUnknown: fc.oneof(
		{ weight: 9, arbitrary: fc.constant(false) },
		{ weight: 1, arbitrary: fc.constant(true) },
	),
});

/** Generates policies of all kinds. No person is in a policy twice. Each ends within half an hour without further answers. */
export const anyPolicy: fc.Arbitrary<ChosenPolicy> = fc
	.record({
		levels: fc.array(anyLevel, { minLength: 1, maxLength: 3 }),
		oneDenialEnds: fc.boolean(),
		limitS: fc.oneof(
			{ weight: 3, arbitrary: fc.constant(undefined) },
			{ weight: 1, arbitrary: fc.constant(15) },
			{ weight: 4, arbitrary: fc.integer({ min: 21, max: 120 }) },
			{ weight: 2, arbitrary: fc.integer({ min: 200, max: 600 }) },
		),
		expiresAfterS: fc.oneof(
			{ weight: 1, arbitrary: fc.constant(DAY_MS / SECOND_MS) },
			{ weight: 2, arbitrary: fc.integer({ min: 20, max: 400 }) },
		),
		remindAfter: fc.option(fc.constantFrom(5, 30, 80), { nil: undefined, freq: 2 }),
		hasRequester: fc.oneof(
			{ weight: 5, arbitrary: fc.constant(false) },
			{ weight: 1, arbitrary: fc.constant(true) },
		),
	})
	.map(({ levels, oneDenialEnds, limitS, expiresAfterS, remindAfter, hasRequester }) => {
		// Without a limit, the requests must expire for the wait to end.
		const expiresAfterMs = SECOND_MS * (limitS ? expiresAfterS : Math.min(expiresAfterS, 300));
		const limitMs = limitS && limitS * SECOND_MS;
		const boundMs = Math.min(expiresAfterMs, limitMs ?? Infinity);
		const users = USERS[Symbol.iterator]();
		const take = (count: number) => Array.from({ length: count }, () => users.next().value!);
		const chosen = levels.map((level, index) => {
			const { peopleCount, needed, deputyCount, deputiesAfter, hasUnknown } = level;
			const people = take(peopleCount);
			const isRepeated = levels.slice(0, index).some((each) => each.hasUnknown);
			if (hasUnknown && !isRepeated) people[peopleCount - 1] = UNKNOWN_USER;
			return {
				name: `Level ${index + 1}`,
				people,
				needed: typeof needed === 'number' ? Math.min(needed, peopleCount) : needed,
				deputies: take(deputyCount),
				...(deputyCount > 0 && { deputiesAfterMs: (boundMs * deputiesAfter) / 100 }),
			};
		});
		const first = chosen[0]!;
		// The requester is removed, and enough people have to be left.
		const canLack = hasRequester && first.people.length > 1 && typeof first.needed !== 'number';
		return {
			levels: chosen,
			...(canLack && { requester: first.people[0]! }),
			oneDenialEnds,
			...(limitMs && { limitMs }),
			expiresAfterMs,
			...(remindAfter && { remindAfterMs: (boundMs * remindAfter) / 100 }),
		};
	});

/** Most people answer soon; some answer around n8n's first timer, which is set to five minutes. */
const anyAnswer: fc.Arbitrary<PlannedAnswer> = fc.record({
	answer: fc.oneof(
		{ weight: 9, arbitrary: fc.constant('approved' as const) },
		{ weight: 3, arbitrary: fc.constant('denied' as const) },
		{ weight: 1, arbitrary: fc.constant('expired' as const) },
		{ weight: 5, arbitrary: fc.constant(undefined) },
	),
	afterMs: fc.oneof(
		{ weight: 6, arbitrary: anyTime(15_000) },
		{ weight: 2, arbitrary: anyTime(80_000) },
		{ weight: 1, arbitrary: anyTime(110_000).map((ms) => ms + 210_000) },
	),
	againAfterMs: fc.option(anyTime(20_000), { nil: undefined, freq: 2 }),
	isByAnother: fc.oneof(
		{ weight: 9, arbitrary: fc.constant(false) },
		{ weight: 1, arbitrary: fc.constant(true) },
	),
	isUnreadable: fc.oneof(
		{ weight: 19, arbitrary: fc.constant(false) },
		{ weight: 1, arbitrary: fc.constant(true) },
	),
});

export const anyQuestion: fc.Arbitrary<PlannedQuestion> = fc.record({
	answers: fc.array(anyAnswer, { minLength: 1, maxLength: 8 }),
});

/** Returns what a person does about a request: the n-th to this person, from 0. */
export function answerTo(
	{ answers }: PlannedQuestion,
	policy: ChosenPolicy,
	person: string,
	nth: number,
): PlannedAnswer | undefined {
	const everyone = policy.levels.flatMap(({ people, deputies }) => [...people, ...deputies]);
	const position = everyone.indexOf(person) + nth * everyone.length;
	return answers[position % answers.length];
}

/** The policies of the short plans. */
const level = (
	name: string,
	people: string[],
	needed: ChosenPolicy['levels'][number]['needed'],
	deputies: string[] = [],
	deputiesAfterMs?: number,
) => ({ name, people, needed, deputies, ...(deputiesAfterMs && { deputiesAfterMs }) });

const common = { oneDenialEnds: true, expiresAfterMs: 200_000 };

const shortPolicies = {
	manager: { ...common, levels: [level('Manager', [USERS[0]!], 'all')] },
	twoOfThree: { ...common, levels: [level('Finance', USERS.slice(0, 3), 2)] },
	managerThenFinance: {
		...common,
		levels: [level('Manager', [USERS[0]!], 'all'), level('Finance', USERS.slice(1, 4), 2)],
	},
	withDeputy: {
		...common,
		levels: [level('Team', USERS.slice(0, 2), 'all', [USERS[2]!], 20_000)],
	},
	deputyIsNotEnough: {
		...common,
		limitMs: 50_000,
		levels: [level('Team', USERS.slice(0, 3), 'all', [USERS[3]!], 5000)],
	},
	withoutVeto: {
		...common,
		oneDenialEnds: false,
		levels: [level('Team', USERS.slice(0, 3), 2, [USERS[3]!], 15_000)],
	},
	limited: {
		...common,
		limitMs: 40_000,
		levels: [level('Manager', [USERS[0]!], 'any'), level('Finance', USERS.slice(1, 3), 'all')],
	},
	unreadable: {
		...common,
		limitMs: 30_000,
		levels: [level('Team', USERS.slice(0, 3), 2)],
	},
	shortlyLimited: {
		...common,
		limitMs: 15_000,
		levels: [level('Team', USERS.slice(0, 2), 'any')],
	},
	reminding: {
		...common,
		remindAfterMs: 20_000,
		levels: [level('Team', USERS.slice(0, 2), 'any')],
	},
} satisfies Record<string, ChosenPolicy>;

const approve = (afterMs: number): PlannedAnswer => ({ answer: 'approved', afterMs });
const deny = (afterMs: number): PlannedAnswer => ({ answer: 'denied', afterMs });
const never: PlannedAnswer = { afterMs: 0 };

/** Policies with the answers of the people, for short plans. */
export const shortQuestions: Array<{ policy: ChosenPolicy; answers: PlannedAnswer[] }> = [
	{ policy: shortPolicies.twoOfThree, answers: [approve(3000), never, approve(6000)] },
	{
		policy: shortPolicies.managerThenFinance,
		answers: [{ ...approve(3000), againAfterMs: 500 }, approve(4000), never, approve(5000)],
	},
	{ policy: shortPolicies.withDeputy, answers: [approve(2000), never, approve(4000)] },
	{
		policy: shortPolicies.deputyIsNotEnough,
		answers: [approve(2000), never, never, approve(3000)],
	},
	{
		policy: shortPolicies.withoutVeto,
		answers: [deny(2000), deny(3000), never, approve(5000)],
	},
	{
		policy: shortPolicies.unreadable,
		answers: [{ ...approve(2000), isByAnother: true }, approve(3000), approve(6000)],
	},
	{ policy: shortPolicies.limited, answers: [approve(3000), approve(4000), never] },
	{ policy: shortPolicies.reminding, answers: [never, never, approve(3000)] },
	{
		policy: { ...shortPolicies.twoOfThree, limitMs: 120_000 },
		answers: [approve(3000), approve(4000), { ...deny(3000), isUnreadable: true }],
	},
	{ policy: shortPolicies.twoOfThree, answers: [approve(3000), deny(4000), approve(5000)] },
];

const untilLimit = { ...common, limitMs: 300_000, expiresAfterMs: 1_000_000 };

/** An answer comes before the limit, while the last poll before it is under way. */
export const duringPoll = {
	policy: shortPolicies.shortlyLimited,
	answers: [approve(13_500), never],
};

/** Policies with a limit, shortly before which n8n resumes the execution to ask more people. */
export const beforeLimit: Record<
	'nextLevel' | 'lateLevel' | 'deputy' | 'lastAnswer',
	{ policy: ChosenPolicy; answers: PlannedAnswer[] }
> = {
	nextLevel: {
		policy: { ...shortPolicies.managerThenFinance, ...untilLimit },
		answers: [approve(20_000), approve(3000), never, approve(4000)],
	},
	lateLevel: {
		policy: { ...shortPolicies.managerThenFinance, ...untilLimit, limitMs: 420_000 },
		answers: [approve(307_000), approve(3000), never, approve(4000)],
	},
	deputy: {
		policy: {
			...untilLimit,
			levels: [level('Team', USERS.slice(0, 2), 'all', [USERS[2]!], 180_000)],
		},
		answers: [approve(20_000), never, approve(3000)],
	},
	lastAnswer: {
		policy: {
			...untilLimit,
			limitMs: 240_000,
			levels: [level('Manager', [USERS[0]!], 'all'), level('Finance', [USERS[1]!], 'all')],
		},
		answers: [approve(2000), approve(95_000)],
	},
};
