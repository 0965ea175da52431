// Protects the panel of the node: every country is found without a request, and an option with a risk has the safe default.
import type { INodeProperties } from 'n8n-workflow';

import { TwoFactorApi } from '../../../credentials/TwoFactorApi.credentials';
import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { openPanel } from '../../support/panel';
import { useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();
const listCountries = (filter?: string) =>
	openPanel(rig.kit, 'twoFactor', { resource: 'user', operation: 'enroll' }).list(
		'searchCountries',
		filter,
	);

describe('the list of countries', () => {
	it('contains all countries by name, each with a different value', async () => {
		const { results } = await listCountries();
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
	])('contains for the filter "%s" the country %s', async (filter, region) => {
		const { results } = await listCountries(filter);
		expect(results.map(({ value }) => value)).toContain(region);
		expect(results.length).toBeLessThan(20);
	});

	it('is empty if no country matches', async () => {
		expect((await listCountries('Atlantis')).results).toEqual([]);
	});

	it('is loaded without a request to the service', async () => {
		await listCountries('a');
		expect(rig.sandbox.requestLog.counts().twoFactor).toBeUndefined();
	});
});

describe('the panel', () => {
	const { description } = new TwoFactor();
	const findField = (name: string, operation: string) =>
		description.properties.find(
			(property) =>
				property.name === name && property.displayOptions?.show?.operation?.includes(operation),
		);

	it('the description of the node does not contain "deprecated", which n8n would turn into a badge', () => {
		expect(description.description).not.toMatch(/deprecat/i);
		const key = new TwoFactorApi().properties.find(({ name }) => name === 'apiKey');
		expect(key!.description).toMatch(/stopped accepting new applications/);
	});

	const findOption = (name: string, operation: string) =>
		(findField('options', operation)!.options as INodeProperties[]).find(
			(candidate) => candidate.name === name,
		)!;

	it('Always Check the Code is on by default, and its description names the risk of turning it off', () => {
		const force = findOption('force', 'verify');
		expect(force).toMatchObject({ type: 'boolean', default: true });
		expect(force.displayName).toBe('Always Check the Code');
		expect(force.description).toMatch(/such a user gets in with any code/);
	});

	it("'Send Even if the User Has the App' is off by default for Send by SMS", () => {
		expect(findOption('force', 'sendBySms')).toMatchObject({ type: 'boolean', default: false });
	});

	it('Create shows the time limit of the wait only if it waits', () => {
		expect(findField('waitLimit', 'create')!.displayOptions!.show).toMatchObject({ wait: [true] });
		expect(findField('waitLimit', 'waitForDecision')!.displayOptions!.show).not.toHaveProperty(
			'wait',
		);
	});
});
