import type { INodeProperties } from 'n8n-workflow';

import { TwoFactorApi } from '../../../credentials/TwoFactorApi.credentials';
import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { openPanel } from '../../support/panel';
import { useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();
const list = (filter?: string) =>
	openPanel(rig.kit, 'twoFactor', { resource: 'user', operation: 'enroll' }).list(
		'searchCountries',
		filter,
	);

describe('the list of countries', () => {
	it('contains all countries by name, each with a value of its own', async () => {
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
	])('the list finds a country by "%s"', async (filter, region) => {
		const { results } = await list(filter);
		expect(results.map(({ value }) => value)).toContain(region);
		expect(results.length).toBeLessThan(20);
	});

	it('is empty if no country matches', async () => {
		expect((await list('Atlantis')).results).toEqual([]);
	});

	it('sends no request to the service', async () => {
		await list('a');
		expect(rig.sandbox.requestLog.counts().twoFactor).toBeUndefined();
	});
});

describe('the panel', () => {
	const { description } = new TwoFactor();
	const field = (name: string, operation: string) =>
		description.properties.find(
			(property) =>
				property.name === name && property.displayOptions?.show?.operation?.includes(operation),
		);

	it('the description has no word that n8n turns into a badge', () => {
		expect(description.description).not.toMatch(/deprecat/i);
		const key = new TwoFactorApi().properties.find(({ name }) => name === 'apiKey');
		expect(key!.description).toMatch(/stopped accepting new applications/);
	});

	const option = (name: string, operation: string) =>
		(field('options', operation)!.options as INodeProperties[]).find(
			(candidate) => candidate.name === name,
		)!;

	it('the code is always checked, and the panel explains what turning that off would allow', () => {
		const force = option('force', 'verify');
		expect(force).toMatchObject({ type: 'boolean', default: true });
		expect(force.displayName).toBe('Always Check the Code');
		expect(force.description).toMatch(/such a user gets in with any code/);
	});

	it('sending by SMS is not forced by default', () => {
		expect(option('force', 'sendBySms')).toMatchObject({ type: 'boolean', default: false });
	});

	it('the waiting time is shown only if Create waits', () => {
		expect(field('waitLimit', 'create')!.displayOptions!.show).toMatchObject({ wait: [true] });
		expect(field('waitLimit', 'waitForDecision')!.displayOptions!.show).not.toHaveProperty('wait');
	});
});
