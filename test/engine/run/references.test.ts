// Protects the values of expressions: a reference that the pack reads itself has n8n's value, or is left to n8n.
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
const evaluateInN8n = (raw: unknown, json: IDataObject): unknown =>
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

const readLocally = (raw: unknown, json: IDataObject) => readerOf(raw)?.(json) ?? UNRESOLVED;

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
	])('%s resolves to the value that n8n returns', (raw) => {
		const localValue = readLocally(raw, data);
		expect(localValue).not.toBe(UNRESOLVED);
		expect(localValue).toBe(evaluateInN8n(raw, data));
	});

	it.each([
		['a calculation', '={{ $json.id + 1 }}'],
		['surrounded by text', '=Hello {{ $json.name }}'],
		['preceded by a space', '= {{ $json.name }}'],
		['two references', '={{ $json.id }}{{ $json.id }}'],
		['a reference to another node', "={{ $('Other').item.json.id }}"],
		['the whole item', '={{ $json }}'],
		['a method call', '={{ $json.name.toUpperCase() }}'],
		['an optional chain', '={{ $json.nested?.empty }}'],
		['a computed key', '={{ $json[$json.name] }}'],
		['forbidden by n8n', '={{ $json.constructor }}'],
		['a reference to the prototype', '={{ $json.__proto__ }}'],
		['a reference to a missing property', '={{ $json.missing }}'],
		['a path through a missing property', '={{ $json.missing.further }}'],
		['a property of a string', '={{ $json.name.length }}'],
		['null', '={{ $json.none }}'],
		['an object', '={{ $json.nested }}'],
		['a list', '={{ $json.tags }}'],
		['a key with an escape', '={{ $json["full\\u0020name"] }}'],
		['a key with a brace', '={{ $json["a}}b"] }}'],
	])('an expression is left to n8n if it is %s', (_, raw) => {
		expect(readLocally(raw, data)).toBe(UNRESOLVED);
	});

	it('a reference inside lists and objects resolves to a new copy each time', () => {
		const raw = { rows: [{ a: '={{ $json.id }}', b: 'fixed' }], c: null, d: 3 };
		const [first, second] = [readLocally(raw, data), readLocally(raw, data)];
		expect(first).toEqual({ rows: [{ a: 7, b: 'fixed' }], c: null, d: 3 });
		expect(first).toEqual(evaluateInN8n(raw, data));
		expect(first).not.toBe(second);
		expect((first as typeof raw).rows).not.toBe(raw.rows);
	});

	it('a parameter is left to n8n if it contains any other expression', () => {
		expect(readerOf({ a: '={{ $json.id }}', b: '={{ $now }}' })).toBeUndefined();
		expect(readLocally({ a: '={{ $json.id }}', b: '={{ $json.missing }}' }, data)).toBe(UNRESOLVED);
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

/** Draws an item and a reference to one of its properties; any reference if the item is empty. */
const existingReference = json.chain((item) => {
	const keys = Object.keys(item);
	return fc.record({
		item: fc.constant(item),
		raw:
			keys.length > 0
				? fc.constantFrom(...keys.map((key) => `={{ $json["${key}"] }}`))
				: expression,
	});
});
const anyReference = fc.record({ item: json, raw: expression });

test('readerOf resolves a reference to the value that n8n returns, or leaves it to n8n', () => {
	let [runCount, resolvedCount] = [0, 0];
	fc.assert(
		fc.property(fc.oneof(existingReference, anyReference), ({ item, raw }) => {
			runCount++;
			const localValue = readLocally(raw, item as IDataObject);
			if (localValue === UNRESOLVED) return;
			resolvedCount++;
			expect(localValue).toBe(evaluateInN8n(raw, item as IDataObject));
		}),
		{ numRuns: scaleRunCount(700) },
	);
	expect(resolvedCount / runCount).toBeGreaterThan(0.05);
});

test('holdsExpression finds every value that n8n evaluates, at any depth', () => {
	expect(holdsExpression({ a: [{ b: '=1' }] })).toBe(true);
	expect(holdsExpression({ a: [{ b: ' =1' }], c: 1, d: null })).toBe(false);
});
