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
const LANES = 24;

let many: SandboxPool;
let few: SandboxPool;
let baseline: OperationRun[];
// A second try of a test replaces the results of its first.
let usual: CaseResult[] = [];
let heavy: CaseResult[] = [];
beforeAll(async () => {
	many = await openSandboxPool(LANES);
	few = await openSandboxPool(2);
	baseline = await runBaseline(many);
}, 300_000);
afterAll(async () => {
	await many.close();
	await few.close();
});

const isHeavy = ({ fault }: Case) => fault.kind === 'huge';
const problemsIn = (results: readonly CaseResult[]) => results.flatMap(({ problems }) => problems);

it('every operation returns the correct result or one clear error under every fault, and does nothing twice', async () => {
	const cases = allCases(baseline).filter((testCase) => !isHeavy(testCase));
	expect(faults.length).toBeGreaterThanOrEqual(16);
	usual = await runAll(many, cases, baseline);
	expect(problemsIn(usual)).toEqual([]);
	expect(many.proxy.followedRedirects()).toBe(0);
}, 1_200_000);

it('a response of unlimited size is rejected before it fills the memory', async () => {
	const cases = allCases(baseline).filter(isHeavy);
	const growth = await measureMemoryGrowth(async () => {
		heavy = await runAll(few, cases, baseline);
		expect(problemsIn(heavy)).toEqual([]);
	});
	// Two at a time, each up to 50 MB as bytes and as a text.
	expect(growth / MB).toBeLessThan(600);
}, 1_200_000);

it('the counts cover every operation, fault and service, and are written down', () => {
	const verdicts = [...usual, ...heavy];
	const counts = formatMatrixTables(verdicts);
	expect(verdicts.length).toBeGreaterThan(operations.length * faults.length);
	expect(counts).toContain(` ${operations.length} operations, ${faults.length} faults, `);
	for (const { title } of Object.values(services)) expect(counts).toContain(`| ${title} `);
	writeReport(counts);
});

it('what must not be done twice is not, when n8n repeats a run, under every fault', async () => {
	const results = await runRepeats(many, allRepeatCases(baseline));
	expect(results.flatMap(({ problems }) => problems)).toEqual([]);
	expect(results.length).toBeGreaterThan(500);
	writeReport(formatRepeatTable(results), 'repeats');
}, 1_200_000);
