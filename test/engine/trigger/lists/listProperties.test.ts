import fc from 'fast-check';

import { scaleRunCount } from '../../../support/scaleRunCount';
import { histories } from './listHistory';
import type { FollowHistory } from './listHistory';
import { violatedInvariants } from './listOracle';
import { ListSimulation } from './listSimulation';

async function expectInvariants(activations: fc.Arbitrary<FollowHistory>): Promise<void> {
	await fc.assert(
		fc.asyncProperty(activations, async (lived) => {
			const simulation = new ListSimulation(structuredClone(lived));
			await simulation.simulate();
			expect(violatedInvariants(simulation)).toEqual([]);
		}),
		{ numRuns: scaleRunCount(100) },
	);
}

describe('random histories: every change starts once, none is lost or invented', () => {
	test('filtered lists, while n8n runs', async () => {
		await expectInvariants(histories(['condition', 'list', 'clock'], { isFiltered: true }));
	}, 300_000);

	test('compared lists, while n8n runs', async () => {
		await expectInvariants(histories(['condition', 'list', 'clock'], { isFiltered: false }));
	}, 300_000);

	test('filtered lists, while n8n is killed and restarted', async () => {
		await expectInvariants(
			histories(['kill', 'reopen', 'condition', 'list', 'clock'], { isFiltered: true }),
		);
	}, 300_000);

	test('compared lists, while n8n is killed and restarted', async () => {
		await expectInvariants(
			histories(['kill', 'reopen', 'condition', 'list', 'clock'], { isFiltered: false }),
		);
	}, 300_000);
});
