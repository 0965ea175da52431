// Protects starts that n8n had not confirmed before a restart: they are requested again, and expire.
import { createSavedStart, HOUR, StartsHarness } from './startsHarness';

describe('a start requested before the last restart', () => {
	const { time } = new StartsHarness();

	test('is requested again within 72 hours', async () => {
		const harness = new StartsHarness([createSavedStart(time, 'a', 72 * HOUR - 1)]);
		await harness.send('a');
		expect(harness.log).toContain('emit a');
		expect(harness.reports).toEqual([]);
	});

	test('expires after 72 hours: the start counts as confirmed, and is reported once', async () => {
		const harness = new StartsHarness([
			createSavedStart(time, 'a', 72 * HOUR),
			createSavedStart(time, 'b', 73 * HOUR),
		]);
		expect(harness.starts.takeExpired()).toEqual(['of a', 'of b']);
		expect(harness.starts.takeExpired()).toEqual([]);
		expect(harness.starts.all()).toMatchObject([{ isExpired: true }, { isExpired: true }]);
		await harness.send('a');
		expect(harness.log).toEqual(['request a', 'confirm a']);
		expect(harness.savedKeys).toEqual(['b']);
		const restartedHarness = new StartsHarness(harness.starts.all());
		await restartedHarness.send('b');
		expect(restartedHarness.starts.takeExpired()).toEqual([]);
		expect(restartedHarness.log).toEqual(['request b', 'confirm b']);
	});

	test('is reported even if it is removed', () => {
		const { starts } = new StartsHarness([createSavedStart(time, 'a', 73 * HOUR)]);
		starts.remove('a');
		expect(starts.takeExpired()).toEqual(['of a']);
	});

	test('expires at once if n8n does not store deduplication keys', async () => {
		const harness = new StartsHarness([createSavedStart(time, 'a', 0)], { repeatStartsForMs: 0 });
		await harness.send('a', 'new');
		expect(harness.log).toContain('emit new');
		expect(harness.log).not.toContain('emit a');
		expect(harness.starts.takeExpired()).toEqual(['of a']);
	});

	test('expires even if 72 hours pass only after the restart', async () => {
		const harness = new StartsHarness([createSavedStart(time, 'a', 71 * HOUR)]);
		expect(harness.starts.takeExpired()).toEqual([]);
		await harness.time.advance(HOUR);
		await harness.send('a');
		expect(harness.log).toEqual(['request a', 'confirm a']);
		expect(harness.starts.takeExpired()).toEqual(['of a']);
	});

	test('keeps the earlier time if the clock was set back before it is requested again', async () => {
		const harness = new StartsHarness([createSavedStart(time, 'a', HOUR)]);
		harness.runExecution = async () => await harness.time.sleep(HOUR);
		harness.time.wallClockOffsetMs -= 24 * HOUR;
		await harness.send('a');
		expect(harness.starts.requestedAt('a')).toBe(harness.time.clock.now());
	});

	test('gets the present as its request time if its request time lies in the future', () => {
		const harness = new StartsHarness([createSavedStart(time, 'a', -500 * HOUR)]);
		expect(harness.starts.all()[0]!.requestedAt).toBe(time.clock.now());
	});

	test('is no longer saved once it is removed', () => {
		const harness = new StartsHarness([
			createSavedStart(time, 'a', 0),
			createSavedStart(time, 'b', 0),
		]);
		harness.starts.remove('a');
		expect(harness.savedKeys).toEqual(['b']);
	});
});
