import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { openPanel } from '../../support/panel';
import { openTwoFactor } from './fixture';

const rig = openTwoFactor();
const list = (filter?: string) =>
	openPanel(rig.kit, 'twoFactor', { resource: 'user', operation: 'enroll' }).list(
		'searchCountries',
		filter,
	);

describe('the list of countries', () => {
	it('offers all of them by name, each row with a value of its own', async () => {
		const { results } = await list();
		expect(results.length).toBeGreaterThan(200);
		expect(new Set(results.map(({ value }) => value)).size).toBe(results.length);
		expect(results).toContainEqual({ name: 'Germany (+49)', value: 'DE' });
		expect(results).toContainEqual({ name: 'Canada (+1)', value: 'CA' });
	});

	it.each([
		['japan', 'JP'],
		[' +81', 'JP'],
		['81', 'JP'],
		['jp', 'JP'],
	])('finds a country by "%s"', async (filter, region) => {
		const { results } = await list(filter);
		expect(results.map(({ value }) => value)).toContain(region);
		expect(results.length).toBeLessThan(20);
	});

	it('finds nothing where there is nothing', async () => {
		expect((await list('Atlantis')).results).toEqual([]);
	});

	it('asks the service for nothing', async () => {
		await list('a');
		expect(rig.sandbox.journal.counts().twoFactor).toBeUndefined();
	});
});

describe('the panel', () => {
	const { description } = new TwoFactor();
	const field = (name: string, operation: string) =>
		description.properties.find(
			(property) =>
				property.name === name && property.displayOptions?.show?.operation?.includes(operation),
		);

	it('says that the service has a successor', () => {
		expect(description.description).toMatch(/deprecated in favor of a successor/);
	});

	it('forces Verify by default, and says what turning that off would let through', () => {
		const force = field('force', 'verify');
		expect(force).toMatchObject({ type: 'boolean', default: true });
		expect(force!.description).toMatch(/never confirmed a code gets in with any code/);
	});

	it('shows how long to wait only where Create waits', () => {
		expect(field('waitLimit', 'create')!.displayOptions!.show).toMatchObject({ wait: [true] });
		expect(field('waitLimit', 'waitForDecision')!.displayOptions!.show).not.toHaveProperty('wait');
	});
});
