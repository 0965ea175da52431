// Protects every operation from faults of network and service: the result is correct or one clear error, no effect happens
// twice, and no response fills the memory.
import { faults } from '../../support/faults/catalog';
import { labelOf } from '../../support/samples/sample';
import { selectCases } from './cases';
import type { OperationRun } from './cases';
import { measureMemoryGrowth, runBaseline, runAll } from './matrix';
import { runRepeats, selectRepeatCases } from './repeats';
import { openSandboxPool } from './sandboxPool';
import type { SandboxPool } from './sandboxPool';

const MB = 1024 * 1024;
const hugeFaults = faults.filter(({ kind }) => kind === 'huge');
const otherFaults = faults.filter(({ kind }) => kind !== 'huge');

let pool: SandboxPool;
let baseline: OperationRun[];
beforeAll(async () => {
	pool = await openSandboxPool(12);
	baseline = await runBaseline(pool);
}, 120_000);
afterAll(async () => await pool.close());

it('every sample returns its expected result without a fault', () => {
	for (const { sample, outputItems, requests, proxied } of baseline) {
		const { output } = sample;
		const expectedFields = typeof output === 'string' ? { [output]: expect.anything() } : output;
		for (const item of outputItems)
			expect({ sampleLabel: labelOf(sample), ...item }).toMatchObject(expectedFields);
		// The service received exactly the requests that the proxy passed on.
		expect(proxied.map(({ method, upstreamStatus }) => [method, upstreamStatus])).toEqual(
			requests.map(({ method, status }) => [method, status]),
		);
	}
	// The samples of operations with two outputs are positive, so that a fault can take an item to the wrong one.
	const positiveLabels = baseline
		.filter(({ positiveItems }) => positiveItems.length > 0)
		.map(({ sample }) => labelOf(sample));
	expect(positiveLabels).toEqual([
		'twoFactor approvalRequest create and wait',
		'twoFactor approvalRequest sendAndWait',
		'twoFactor approvalRequest waitForDecision',
		'twoFactor oneTimeCode verify',
		'twoFactor phoneVerification check',
	]);
});

it('every operation returns the correct result or one clear error under its selected faults, and has no effect twice', async () => {
	const cases = selectCases(baseline, otherFaults);
	expect(new Set(cases.map(({ sample }) => labelOf(sample))).size).toBe(baseline.length);
	expect(new Set(cases.map(({ fault }) => fault.name)).size).toBe(otherFaults.length);
	const results = await runAll(pool, cases, baseline);
	expect(results.flatMap(({ problems }) => problems)).toEqual([]);
	expect(pool.proxy.followedRedirects()).toBe(0);
}, 240_000);

it('an operation that must not be repeated is done once per item when n8n repeats a run of three items', async () => {
	const cases = selectRepeatCases(baseline);
	expect(cases.length).toBeGreaterThan(25);
	const results = await runRepeats(pool, cases);
	expect(results.flatMap(({ problems }) => problems)).toEqual([]);
}, 240_000);

it('a response of unlimited size is rejected before it fills the memory', async () => {
	const cases = selectCases(
		baseline.filter((_, index) => index % 20 === 0),
		hugeFaults,
	);
	expect(new Set(cases.map(({ fault }) => fault.name)).size).toBe(hugeFaults.length);
	const growthBytes = await measureMemoryGrowth(async () => {
		for (const testCase of cases) {
			const results = await runAll(pool, [testCase], baseline);
			expect(results.flatMap(({ problems }) => problems)).toEqual([]);
		}
	});
	expect(growthBytes / MB).toBeLessThan(400);
}, 240_000);
