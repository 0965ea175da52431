// Protects late changes while pages fail: a wide poll is repeated until it finds them, and delays no other change for long.
import { shareOf } from '../../../support/share';
import { createRandom } from '../support/virtualTime';
import { createRecord, FollowerHarness, HOUR, MINUTE } from './listHarness';

/** Two changes a minute: a wide poll, which reaches back two hours, has twelve pages or more. */
const settings = { pageSize: 20 };
const CHANGE_INTERVAL_MS = MINUTE / 2;

/** Follows a list that changes for five hours, while one page in ten fails. Returns the delay of each start in minutes. */
async function measureDelays(seed: number, lateByMs = 0): Promise<number[]> {
	const random = createRandom(seed);
	const harness = await new FollowerHarness(settings).open();
	harness.failPage = () => (random() < 0.1 ? { kind: 'unavailable', message: '503' } : undefined);
	const changedAtMs = new Map<string, number>();
	const delays: number[] = [];
	harness.runExecution = async ({ changes: [change] }) =>
		delays.push((harness.time.nowMs - changedAtMs.get(change!.id)!) / MINUTE);
	for (let count = 0; count * CHANGE_INTERVAL_MS < 5 * HOUR; count++) {
		// One change in fifty appears later than its stamp says.
		const isLate = lateByMs > 0 && count % 50 === 49;
		const id = `p${count}`;
		changedAtMs.set(id, harness.time.nowMs);
		harness.upsertRecord(createRecord(id, harness.time.nowMs - (isLate ? lateByMs : 0)));
		await harness.time.advance(CHANGE_INTERVAL_MS);
	}
	harness.failPage = () => undefined;
	await harness.time.advance(HOUR);
	harness.kill();
	expect(delays).toHaveLength(changedAtMs.size);
	return delays;
}

describe.each(shareOf([1, 2, 3], 0))('a wide poll that fails (seed %d)', (seed) => {
	test('does not delay the latest changes', async () => {
		expect(Math.max(...(await measureDelays(seed)))).toBeLessThan(10);
	});

	test('is repeated, and finds a change that appears 20 minutes late', async () => {
		expect(Math.max(...(await measureDelays(seed, 20 * MINUTE)))).toBeLessThan(40);
	});
});
