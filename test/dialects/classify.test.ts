// Protects the measurement of dialects: what counts as right, as the same data, as told and as silent.
import type { IDataObject } from 'n8n-workflow';

import { samples } from '../support/samples';
import { PlainRuns } from './classify';
import type { ObservedRun } from './classify';
import type { Dialect } from './dialect';

const [sample] = samples;
const dialect: Dialect = { name: 'any', group: 'any' };
const inCapitals: Dialect = {
	...dialect,
	form: (value) => (typeof value === 'string' ? value.toUpperCase() : value),
};

const observe = (
	outputItems: IDataObject[],
	details: Partial<ObservedRun['run']> = {},
	seats = 2,
): ObservedRun => ({
	run: { sample: sample!, outputItems, positiveItems: [], hints: [], ...details },
	before: { rooms: { a: '{"seats":1}' } },
	after: { rooms: { a: JSON.stringify({ seats }) } },
});
const record = { Name: 'Ada', Seats: 12, Active: true, Note: '', Code: 'x1' };
const plain = new PlainRuns(observe([record]), observe([{ ...record, Code: 'x2' }]));
const end = (observed: ObservedRun, spoken = dialect) => plain.classify(observed, spoken);

it.each<[string, ObservedRun, string]>([
	['the same output', observe([record]), 'right'],
	['another value where two plain runs differ', observe([{ ...record, Code: 'y' }]), 'right'],
	['other names', observe([{ name: 'Ada', seats: '12', ACTIVE: true }]), 'same'],
	['a boolean under another name', observe([{ name: 'Ada', seats: 12, other: true }]), 'silent'],
	['a missing value', observe([{ ...record, Name: undefined }]), 'silent'],
	['a further record', observe([record, record]), 'silent'],
	['no record', observe([]), 'silent'],
	['no record and a hint', observe([], { hints: ['The list may be incomplete'] }), 'told'],
	['trouble in the output', observe([{ trouble: 'unknown status' }]), 'told'],
	['an error', observe([], { error: { name: 'e', message: 'm', description: '' } }), 'told'],
	['another effect', observe([record], {}, 3), 'silent'],
	['another effect and a hint', observe([record], { hints: ['Check it'] }, 3), 'told'],
	['an item on the second output', observe([record], { positiveItems: [record] }), 'silent'],
])('%s', (_, observed, expected) => {
	expect(end(observed)).toBe(expected);
});

it('a value in the form of the dialect is the same data', () => {
	const observed = observe([{ ...record, Name: 'ADA' }]);
	expect([end(observed, inCapitals), end(observed)]).toEqual(['same', 'silent']);
});

it('a hint of the plain run tells nothing', () => {
	const hinting = observe([record], { hints: ['As ever'] });
	const runs = new PlainRuns(hinting, hinting);
	expect(runs.classify(observe([], { hints: ['As ever'] }), dialect)).toBe('silent');
});
