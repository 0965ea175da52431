import fc from 'fast-check';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import type { IDataObject, INode, INodeTypes, NodeParameterValueType } from 'n8n-workflow';

import { holdsExpression, readerOf, UNRESOLVED } from '../../../nodes/engine/run/references';
import { scaleRunCount } from '../../support/scaleRunCount';

const node: INode = {
	id: 'n',
	name: 'N',
	type: 'n',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const workflow = new Workflow({
	id: 'w',
	nodes: [node],
	connections: {},
	active: false,
	nodeTypes: {
		getByNameAndVersion: () => ({ description: { properties: [] } }),
	} as unknown as INodeTypes,
});

/** Evaluates a parameter with n8n itself. */
const n8n = (raw: unknown, json: IDataObject): unknown =>
	workflow.expression.getParameterValue(
		raw as NodeParameterValueType,
		createRunExecutionData(),
		0,
		0,
		'N',
		[{ json }],
		'trigger',
		{},
	);

const read = (raw: unknown, json: IDataObject) => readerOf(raw)?.(json) ?? UNRESOLVED;

const data = {
	id: 7,
	name: 'Ada',
	'full name': 'Ada Lovelace',
	$tag: true,
	nested: { list: [{ id: 'x' }], 'a-b': 2, empty: '' },
	none: null,
	tags: ['a', 'b'],
};

describe('a plain reference', () => {
	it.each([
		'={{ $json.id }}',
		'={{$json.id}}',
		'={{  $json.name\n}}',
		"={{ $json['full name'] }}",
		'={{ $json["full name"] }}',
		'={{ $json.$tag }}',
		'={{ $json.nested.list[0].id }}',
		"={{ $json.nested['a-b'] }}",
		'={{ $json.nested.empty }}',
		'={{ $json.tags[1] }}',
		'={{ $json.tags.length }}',
	])('resolves to the same value as in n8n: %s', (raw) => {
		const ours = read(raw, data);
		expect(ours).not.toBe(UNRESOLVED);
		expect(ours).toBe(n8n(raw, data));
	});

	it.each([
		['what is more than a reference', '={{ $json.id + 1 }}'],
		['what has words around it', '=Hello {{ $json.name }}'],
		['a blank before it', '= {{ $json.name }}'],
		['two of them', '={{ $json.id }}{{ $json.id }}'],
		['another node', "={{ $('Other').item.json.id }}"],
		['all of the data', '={{ $json }}'],
		['a call', '={{ $json.name.toUpperCase() }}'],
		['a step that may be missing', '={{ $json.nested?.empty }}'],
		['a name in a variable', '={{ $json[$json.name] }}'],
		['what n8n forbids', '={{ $json.constructor }}'],
		['what lies behind the data', '={{ $json.__proto__ }}'],
		['what is not there', '={{ $json.missing }}'],
		['what leads nowhere', '={{ $json.missing.further }}'],
		['what a text has of itself', '={{ $json.name.length }}'],
		['nothing', '={{ $json.none }}'],
		['an object', '={{ $json.nested }}'],
		['a list', '={{ $json.tags }}'],
		['a key with an escape', '={{ $json["full\\u0020name"] }}'],
		['a key with a brace', '={{ $json["a}}b"] }}'],
	])('is left to n8n if it is %s', (_, raw) => {
		expect(read(raw, data)).toBe(UNRESOLVED);
	});

	it('inside lists and objects resolves to new copies each time', () => {
		const raw = { rows: [{ a: '={{ $json.id }}', b: 'fixed' }], c: null, d: 3 };
		const [first, second] = [read(raw, data), read(raw, data)];
		expect(first).toEqual({ rows: [{ a: 7, b: 'fixed' }], c: null, d: 3 });
		expect(first).toEqual(n8n(raw, data));
		expect(first).not.toBe(second);
		expect((first as typeof raw).rows).not.toBe(raw.rows);
	});

	it('is left to n8n if the parameter contains any other expression', () => {
		expect(readerOf({ a: '={{ $json.id }}', b: '={{ $now }}' })).toBeUndefined();
		expect(read({ a: '={{ $json.id }}', b: '={{ $json.missing }}' }, data)).toBe(UNRESOLVED);
	});
});

const name = fc.oneof(
	fc.constantFrom('id', 'name', 'a b', 'ünï', "it's", 'say "x"', 'constructor', '0', 'x.y', '}}'),
	fc.string({ minLength: 1, maxLength: 6 }),
);
const leaf = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.integer());
const { tree } = fc.letrec<{ tree: unknown; object: unknown; list: unknown }>((tie) => ({
	tree: fc.oneof({ maxDepth: 3 }, leaf, tie('object'), tie('list')),
	object: fc.dictionary(name, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
	list: fc.array(tie('tree'), { maxLength: 3 }),
}));
const json = fc.dictionary(name, tree, { maxKeys: 5, noNullPrototype: true });
const step = fc.oneof(
	name.map((key) => `.${key}`),
	name.map((key) => `["${key}"]`),
	name.map((key) => `['${key}']`),
	fc.nat(3).map((index) => `[${index}]`),
);
const expression = fc
	.tuple(fc.array(step, { minLength: 1, maxLength: 3 }), fc.constantFrom('', ' ', '  '))
	.map(([steps, blank]) => `={{${blank}$json${steps.join('')}${blank}}}`);

/** Points at something that is there, in one of the ways to write it. */
const pointing = json.chain((found) => {
	const keys = Object.keys(found);
	return fc.record({
		found: fc.constant(found),
		raw:
			keys.length > 0
				? fc.constantFrom(...keys.map((key) => `={{ $json["${key}"] }}`))
				: expression,
	});
});
const anything = fc.record({ found: json, raw: expression });

test('readerOf never resolves a reference to another value than n8n does', () => {
	let [runs, resolved] = [0, 0];
	fc.assert(
		fc.property(fc.oneof(pointing, anything), ({ found, raw }) => {
			runs++;
			const ownResult = read(raw, found as IDataObject);
			if (ownResult === UNRESOLVED) return;
			resolved++;
			expect(ownResult).toBe(n8n(raw, found as IDataObject));
		}),
		{ numRuns: scaleRunCount(700) },
	);
	expect(resolved / runs).toBeGreaterThan(0.05);
});

test('holdsExpression finds every value that n8n evaluates, at any depth', () => {
	expect(holdsExpression({ a: [{ b: '=1' }] })).toBe(true);
	expect(holdsExpression({ a: [{ b: ' =1' }], c: 1, d: null })).toBe(false);
});
