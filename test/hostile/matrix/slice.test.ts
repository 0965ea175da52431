import { faults } from '../../support/faults/catalog';
import { labelOf } from '../../support/samples/sample';
import { selectCases } from './cases';
import type { OperationRun } from './cases';
import { growthDuring, inFairWeather, runAll } from './matrix';
import { runRepeats, sliceOfRepeats } from './repeats';
import { openSandboxPool } from './sandboxPool';
import type { SandboxPool } from './sandboxPool';

const MB = 1024 * 1024;
const heavy = faults.filter(({ kind }) => kind === 'huge');
const others = faults.filter(({ kind }) => kind !== 'huge');

let lanes: SandboxPool;
let baseline: OperationRun[];
beforeAll(async () => {
	lanes = await openSandboxPool(12);
	baseline = await inFairWeather(lanes);
}, 120_000);
afterAll(async () => await lanes.close());

it('every sample returns its expected result without a fault', () => {
	for (const { sample, outputItems, requests, proxied } of baseline) {
		const { output } = sample;
		const wanted = typeof output === 'string' ? { [output]: expect.anything() } : output;
		for (const item of outputItems) expect({ of: labelOf(sample), ...item }).toMatchObject(wanted);
		// The service received exactly the requests that the proxy passed on.
		expect(proxied.map(({ method, upstreamStatus }) => [method, upstreamStatus])).toEqual(
			requests.map(({ method, status }) => [method, status]),
		);
	}
});

it('every operation returns the correct result or one clear error under every fault, and does nothing twice', async () => {
	const cases = selectCases(baseline, 2, others);
	expect(new Set(cases.map(({ sample }) => labelOf(sample))).size).toBe(baseline.length);
	expect(new Set(cases.map(({ fault }) => fault.name)).size).toBe(others.length);
	const verdicts = await runAll(lanes, cases, baseline);
	expect(verdicts.flatMap(({ problems }) => problems)).toEqual([]);
	expect(lanes.proxy.followedRedirects()).toBe(0);
}, 240_000);

it('operations that must not be done twice are not, when n8n repeats a run of three items', async () => {
	const cases = sliceOfRepeats(baseline, 2);
	expect(cases.length).toBeGreaterThan(40);
	const verdicts = await runRepeats(lanes, cases);
	expect(verdicts.flatMap(({ problems }) => problems)).toEqual([]);
}, 240_000);

it('a response of unlimited size is rejected before it fills the memory', async () => {
	const cases = selectCases(
		baseline.filter((_, index) => index % 10 === 0),
		1,
		heavy,
	);
	expect(new Set(cases.map(({ fault }) => fault.name)).size).toBe(heavy.length);
	const growth = await growthDuring(async () => {
		for (const one of cases) {
			const verdicts = await runAll(lanes, [one], baseline);
			expect(verdicts.flatMap(({ problems }) => problems)).toEqual([]);
		}
	});
	expect(growth / MB).toBeLessThan(400);
}, 240_000);
