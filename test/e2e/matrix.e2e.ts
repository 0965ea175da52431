// Protects users from faults of a service: an operation returns the correct result or one clear error, and no effect happens
// twice, even if n8n repeats the run. A huge response does not fill the memory.
import services from '../../contracts/services.json';
import { allCases } from '../hostile/matrix/cases';
import type { Case, OperationRun } from '../hostile/matrix/cases';
import type { CaseResult } from '../hostile/matrix/evaluateCase';
import { measureMemoryGrowth, runBaseline, runAll } from '../hostile/matrix/matrix';
import { allRepeatCases, runRepeats } from '../hostile/matrix/repeats';
import { formatRepeatTable, formatMatrixTables, writeReport } from '../hostile/matrix/report';
import { openSandboxPool } from '../hostile/matrix/sandboxPool';
import type { SandboxPool } from '../hostile/matrix/sandboxPool';
import { faults } from '../support/faults/catalog';
import { operations } from '../support/samples';

const MB = 1024 * 1024;
const PARALLEL_SANDBOXES = 24;

let largePool: SandboxPool;
let smallPool: SandboxPool;
let baseline: OperationRun[];
// If Jest repeats a test, the new results replace the old ones.
let usualResults: CaseResult[] = [];
let hugeResults: CaseResult[] = [];
beforeAll(async () => {
	largePool = await openSandboxPool(PARALLEL_SANDBOXES);
	smallPool = await openSandboxPool(2);
	baseline = await runBaseline(largePool);
}, 300_000);
afterAll(async () => {
	await largePool.close();
	await smallPool.close();
});

const isHuge = ({ fault }: Case) => fault.kind === 'huge';
const problemsIn = (results: readonly CaseResult[]) => results.flatMap(({ problems }) => problems);

it('every operation returns the correct result or one clear error under every fault, and no effect happens twice', async () => {
	const cases = allCases(baseline).filter((testCase) => !isHuge(testCase));
	expect(faults.length).toBeGreaterThanOrEqual(16);
	usualResults = await runAll(largePool, cases, baseline);
	expect(problemsIn(usualResults)).toEqual([]);
	expect(largePool.proxy.followedRedirects()).toBe(0);
}, 1_200_000);

it('a response of unlimited size is rejected before it fills the memory', async () => {
	const cases = allCases(baseline).filter(isHuge);
	const growthBytes = await measureMemoryGrowth(async () => {
		hugeResults = await runAll(smallPool, cases, baseline);
		expect(problemsIn(hugeResults)).toEqual([]);
	});
	// Two run at a time, each with up to 50 MB as bytes and as text.
	expect(growthBytes / MB).toBeLessThan(600);
}, 1_200_000);

it('the report covers every operation, fault and service', () => {
	const allResults = [...usualResults, ...hugeResults];
	const counts = formatMatrixTables(allResults);
	expect(allResults.length).toBeGreaterThan(operations.length * faults.length);
	expect(counts).toContain(` ${operations.length} operations, ${faults.length} faults, `);
	for (const { title } of Object.values(services)) expect(counts).toContain(`| ${title} `);
	writeReport(counts);
});

it('no effect happens twice if n8n repeats a run, under every fault', async () => {
	const results = await runRepeats(largePool, allRepeatCases(baseline));
	expect(results.flatMap(({ problems }) => problems)).toEqual([]);
	expect(results.length).toBeGreaterThan(500);
	writeReport(formatRepeatTable(results), 'repeats');
}, 1_200_000);
