import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { adviceOn, difference } from './frozen';
import { nodeLines } from './lines';

const field = (name: string, overrides: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	displayOptions: { show: { operation: ['get', 'delete'] } },
	...overrides,
});

const node = (version: number | number[], ...properties: INodeProperties[]) =>
	nodeLines({ name: 'gate', version, properties } as INodeTypeDescription);

const between = (before: string[], now: string[]) =>
	difference(
		...([before, now].map((lines) => JSON.stringify(lines, undefined, 1)) as [string, string]),
	);

const before = node(1, field('guestId'));

it('names removed lines, and how to keep them', () => {
	const renamed = between(before, node(1, field('visitorId')));
	expect(renamed.gone).toHaveLength(2);
	const advice = adviceOn(renamed);
	expect(advice).toContain('v1 guestId: string');
	expect(advice).toContain("n8n's light versioning");
	expect(advice).toContain('docs/upgrading.md');
});

it.each([
	['another type', field('guestId', { type: 'number' })],
	['another default', field('guestId', { default: 'guest-1' })],
	['one operation fewer', field('guestId', { displayOptions: { show: { operation: ['get'] } } })],
])('takes %s for something that is gone', (_, changed) => {
	expect(between(before, node(1, changed)).gone).not.toEqual([]);
});

it.each([
	['a field', [field('guestId'), field('gateId')]],
	[
		'an operation',
		[field('guestId', { displayOptions: { show: { operation: ['get', 'open', 'delete'] } } })],
	],
])('lets %s be added, with a line in the changelog', (_, properties) => {
	const { gone, added } = between(before, node(1, ...properties));
	expect(gone).toEqual([]);
	expect(added).not.toEqual([]);
	const advice = adviceOn({ gone, added });
	expect(advice).toContain('npm run surface');
	expect(advice).toContain('CHANGELOG.md');
	expect(advice).not.toContain('versioning');
});

it('takes another name in another version for an addition', () => {
	const show = (versions: number[]) => ({
		displayOptions: { show: { operation: ['get', 'delete'], '@version': versions } },
	});
	const now = node([1, 1.1], field('guestId', show([1])), field('visitorId', show([1.1])));
	const { gone, added } = between(before, now);
	expect(gone).toEqual([]);
	expect(added.some((line) => line.includes('v1.1 visitorId'))).toBe(true);
	expect(added.some((line) => line.includes('v1 visitorId'))).toBe(false);
});

it('sees through another order', () => {
	const two = node(1, field('a'), field('b'));
	const difference = between(two, [...two].reverse());
	expect(difference.gone).toEqual([]);
	expect(adviceOn(difference)).toContain('another order');
});
