// Protects people who install a package from a growing download: a package above its size limit is reported.
import pack from '../../package.json';

const { findSizeProblems } = jest.requireActual<{
	findSizeProblems: (name: string, bytes: number) => string[];
}>('../../scripts/sizeLimits');
const { singles } = jest.requireActual<{ singles: Array<{ name: string }> }>(
	'../../scripts/singlePackages',
);

const names = [pack.name, ...singles.map(({ name }) => name)];
/** Limits in kB of 1,000 bytes: the pack, then the single packages in the order of contracts/services.json. */
const LIMITS = [276, 146, 151, 100, 144].map((limit, index) => [names[index]!, limit] as const);

it('every package has a size limit, which is tested below', () => {
	expect(names.flatMap((name) => findSizeProblems(name, 0))).toEqual([]);
	expect(LIMITS.map(([name]) => name)).toEqual(names);
});

it.each(LIMITS)('%s is accepted with up to %d kB, and reported above that size', (name, limit) => {
	expect(findSizeProblems(name, limit * 1000)).toEqual([]);
	const [problem, ...otherProblems] = findSizeProblems(name, limit * 1000 + 1);
	expect(otherProblems).toEqual([]);
	expect(problem).toContain(name);
	expect(problem).toContain(`${limit}.001 kB`);
	expect(problem).toContain(`the limit is ${limit} kB`);
});

it('a package without a limit is reported', () => {
	expect(findSizeProblems('n8n-nodes-new', 1)).toEqual(['n8n-nodes-new has no size limit']);
});
