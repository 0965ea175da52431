import { labelOf } from '../../support/samples/sample';
import { missing, operations, samples, superfluous } from '../../support/samples';
import { openLanes } from './lanes';
import type { Lanes } from './lanes';
import { inFairWeather } from './matrix';

let lanes: Lanes;
beforeAll(async () => {
	lanes = await openLanes(4);
}, 60_000);
afterAll(async () => await lanes.close());

it('there is a sample for every operation of the pack, and for nothing else', () => {
	expect(operations.length).toBeGreaterThan(80);
	expect(missing()).toEqual([]);
	expect(superfluous()).toEqual([]);
	expect(new Set(samples.map(labelOf)).size).toBe(samples.length);
});

it('every sample succeeds in fair weather and shows what it promises', async () => {
	for (const { sample, out, error, journal, passages } of await inFairWeather(lanes)) {
		const label = labelOf(sample);
		const { shows } = sample;
		const wanted = typeof shows === 'string' ? { [shows]: expect.anything() } : shows;
		expect({ label, error: error?.message }).toEqual({ label, error: undefined });
		expect({ label, count: out.length }).not.toMatchObject({ count: 0 });
		for (const item of out) expect({ label, ...item }).toMatchObject(wanted);
		// What the proxy let pass is what the service received.
		expect(passages.map(({ method, carriedOut }) => [method, carriedOut])).toEqual(
			journal.map(({ method, status }) => [method, status]),
		);
	}
}, 120_000);
