// Protects the promises of triggers, quorums and Sync in random histories. The simulator plays the shipped bundle; here its
// fast layer plays the source files, so that a mutant of one takes effect.
import * as quorumDecide from '../../nodes/engine/quorum/decide';
import * as quorumVotes from '../../nodes/engine/quorum/votes';
import * as listCores from '../../nodes/engine/trigger/lists/core';
import * as watchCore from '../../nodes/engine/watch';
import * as syncLimits from '../../nodes/EventRegistration/contact/sync/changeLimits';
import * as syncDigest from '../../nodes/EventRegistration/contact/sync/digest';
import * as syncList from '../../nodes/EventRegistration/contact/sync/list';
import * as syncPlanCore from '../../nodes/EventRegistration/contact/sync/plan';
import { playOne, playRandom } from './simulate';
import { listCore } from './subjects/listCore';
import { quorum } from './subjects/quorum';
import type { Subject } from './subjects/subject';
import { syncPlan } from './subjects/syncPlan';
import { watch } from './subjects/watch';
import type { PackBundle } from './world/packBundle';

/** The modules that the fast layer drives, instead of a bundle of them. */
const bundle: PackBundle = {
	load: () => ({}),
	loadCores: () => ({
		watch: watchCore,
		lists: listCores,
		quorum: quorumDecide,
		votes: quorumVotes,
		syncPlan: syncPlanCore,
		syncDigest,
		syncLimits,
		syncList,
	}),
};

/** Few histories per test: the mutation tester starts with the fastest tests. */
const RUNS_PER_TEST = 3;
const SEEDS = [1, 2, 3, 4];

describe.each([watch, listCore, quorum, syncPlan] as Subject[])('$name', (subject) => {
	it.each(subject.shortPlans.map((plan, index) => ({ plan, index })))(
		'short history $index breaks no promise',
		async ({ plan }) => {
			expect((await playOne(subject, plan, bundle)).message).toBeUndefined();
		},
	);

	it.each(SEEDS)('random histories of seed %i break no promise', async (seed) => {
		const failure = await playRandom(subject, bundle, { seed, runs: RUNS_PER_TEST });
		expect(failure?.message).toBeUndefined();
	});
});
