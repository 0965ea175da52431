import fc from 'fast-check';

import { scaleRunCount } from '../../../support/scaleRunCount';
import { anyHistoryWith } from './listHistory';
import type { FollowHistory } from './listHistory';
import { violatedInvariants } from './listOracle';
import { ListSimulation } from './listSimulation';

/** Plays random histories, and expects that none violates an invariant. */
async function expectInvariants(anyHistory: fc.Arbitrary<FollowHistory>): Promise<void> {
	await fc.assert(
		fc.asyncProperty(anyHistory, async (history) => {
			// The simulation changes its history, and fast-check reports the original.
			const simulation = new ListSimulation(structuredClone(history));
			await simulation.simulate();
			expect(violatedInvariants(simulation)).toEqual([]);
		}),
		{ numRuns: scaleRunCount(100) },
	);
}

const TIMEOUT_MS = 300_000;
const FAULTS = ['serviceCondition', 'listCondition', 'localClock'] as const;

describe('in random histories, every change starts the workflow once', () => {
	test(
		'in filtered lists, while n8n runs',
		async () => {
			await expectInvariants(anyHistoryWith([...FAULTS], { isFiltered: true }));
		},
		TIMEOUT_MS,
	);

	test(
		'in compared lists, while n8n runs',
		async () => {
			await expectInvariants(anyHistoryWith([...FAULTS], { isFiltered: false }));
		},
		TIMEOUT_MS,
	);

	test(
		'in filtered lists, while n8n is killed and restarted',
		async () => {
			await expectInvariants(anyHistoryWith(['kill', 'reopen', ...FAULTS], { isFiltered: true }));
		},
		TIMEOUT_MS,
	);

	test(
		'in compared lists, while n8n is killed and restarted',
		async () => {
			await expectInvariants(anyHistoryWith(['kill', 'reopen', ...FAULTS], { isFiltered: false }));
		},
		TIMEOUT_MS,
	);
});
