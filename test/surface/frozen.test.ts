// Protects stored workflows from a careless new snapshot: a removed line is reported with advice, an added one is allowed.
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { findDifference, makeAdvice } from './frozen';
import { nodeLines } from './lines';

const makeField = (name: string, overrides: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	displayOptions: { show: { operation: ['get', 'delete'] } },
	...overrides,
});

const listNodeLines = (version: number | number[], ...properties: INodeProperties[]) =>
	nodeLines({ name: 'gate', version, properties } as INodeTypeDescription);

/** Compares the lines as their snapshots. */
const compareLines = (linesBefore: string[], linesNow: string[]) =>
	findDifference(
		...([linesBefore, linesNow].map((lines) => JSON.stringify(lines, undefined, 1)) as [
			string,
			string,
		]),
	);

const LINES_BEFORE = listNodeLines(1, makeField('guestId'));

it('the advice names removed lines, and how to keep them', () => {
	const renamed = compareLines(LINES_BEFORE, listNodeLines(1, makeField('visitorId')));
	expect(renamed.gone).toHaveLength(2);
	const advice = makeAdvice(renamed);
	expect(advice).toContain('v1 guestId: string');
	expect(advice).toContain("n8n's light versioning");
	expect(advice).toContain('docs/upgrading.md');
});

it.each([
	['another type', makeField('guestId', { type: 'number' })],
	['another default', makeField('guestId', { default: 'guest-1' })],
	[
		'one operation fewer',
		makeField('guestId', { displayOptions: { show: { operation: ['get'] } } }),
	],
])('a field with %s counts as removed', (_, changedField) => {
	expect(compareLines(LINES_BEFORE, listNodeLines(1, changedField)).gone).not.toEqual([]);
});

it.each([
	['a field', [makeField('guestId'), makeField('gateId')]],
	[
		'an operation',
		[makeField('guestId', { displayOptions: { show: { operation: ['get', 'open', 'delete'] } } })],
	],
])('%s can be added, and the advice asks for a line in the changelog', (_, properties) => {
	const { gone, added } = compareLines(LINES_BEFORE, listNodeLines(1, ...properties));
	expect(gone).toEqual([]);
	expect(added).not.toEqual([]);
	const advice = makeAdvice({ gone, added });
	expect(advice).toContain('npm run surface');
	expect(advice).toContain('CHANGELOG.md');
	expect(advice).not.toContain('versioning');
});

it('a field with another name in a new version of the node counts as added, not as removed', () => {
	const showInVersions = (versions: number[]) => ({
		displayOptions: { show: { operation: ['get', 'delete'], '@version': versions } },
	});
	const linesNow = listNodeLines(
		[1, 1.1],
		makeField('guestId', showInVersions([1])),
		makeField('visitorId', showInVersions([1.1])),
	);
	const { gone, added } = compareLines(LINES_BEFORE, linesNow);
	expect(gone).toEqual([]);
	expect(added.some((line) => line.includes('v1.1 visitorId'))).toBe(true);
	expect(added.some((line) => line.includes('v1 visitorId'))).toBe(false);
});

it('lines in another order are no difference, and the advice names the order', () => {
	const twoFields = listNodeLines(1, makeField('a'), makeField('b'));
	const difference = compareLines(twoFields, [...twoFields].reverse());
	expect(difference.gone).toEqual([]);
	expect(makeAdvice(difference)).toContain('another order');
});
