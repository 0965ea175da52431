import pack from '../../package.json';

const { sizeComplaints } = jest.requireActual<{
	sizeComplaints: (name: string, bytes: number) => string[];
}>('../../scripts/sizes');
const { singles } = jest.requireActual<{ singles: Array<{ name: string }> }>(
	'../../scripts/packages',
);

/** Limits in kB of 1,000 bytes, as the registry reports the size of a tarball. */
const LIMITS: Array<[string, number]> = [
	['n8n-nodes-gatehouse', 220],
	['n8n-nodes-passwordless-identity', 115],
	['n8n-nodes-two-factor', 105],
	['n8n-nodes-event-data', 75],
	['n8n-nodes-event-registration', 100],
];

it('every package has a limit', () => {
	expect(LIMITS.map(([name]) => name)).toEqual([pack.name, ...singles.map(({ name }) => name)]);
});

it.each(LIMITS)('%s may have %d kB, packed, and not a byte more', (name, limit) => {
	expect(sizeComplaints(name, limit * 1000)).toEqual([]);
	const [complaint, ...others] = sizeComplaints(name, limit * 1000 + 1);
	expect(others).toEqual([]);
	expect(complaint).toContain(name);
	expect(complaint).toContain(`${limit}.001 kB`);
	expect(complaint).toContain(`the limit is ${limit} kB`);
});

it('a package without a limit is a complaint', () => {
	expect(sizeComplaints('n8n-nodes-new', 1)).toEqual(['n8n-nodes-new has no size limit']);
});
