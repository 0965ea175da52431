import type { INode, INodeType, ResourceMapperValue } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { workflowId } from '../../lab/workflows';
import { createDemo } from '../../sandbox/demo';
import { contactForm, registrationForm } from '../../sandbox/demoData/forms';
import { packServices } from '../support/pack';
import { problemsOf } from './parameters';

interface Example {
	name: string;
	nodes: INode[];
	connections: Record<
		string,
		{ main: Array<Array<{ node: string; type: string; index: number }>> }
	>;
	settings: object;
	pinData: object;
}

const root = path.resolve(__dirname, '..', '..');
const folder = path.join(root, 'examples');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const textOf = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const read = (file: string) => JSON.parse(textOf(file)) as Example;

/** The pack's nodes as package.json lists them, by the names that workflows use. */
const pack = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	name: string;
	n8n: { nodes: string[] };
};
const ours = new Map(
	pack.n8n.nodes.map((file) => {
		const module = path.basename(file, '.node.js');
		const source = path.join(root, path.dirname(file).replace('dist/', ''), `${module}.node`);
		const Node = jest.requireActual<Record<string, new () => INodeType>>(source)[module]!;
		const { description } = new Node();
		return [`${pack.name}.${description.name}`, description];
	}),
);

/** The nodes of n8n that examples may use: those that need no account anywhere. */
const theirs = new Set(
	[
		'convertToFile',
		'dataTable',
		'filter',
		'form',
		'formTrigger',
		'if',
		'manualTrigger',
		'merge',
		'noOp',
		'scheduleTrigger',
		'set',
		'sort',
		'splitOut',
		'stickyNote',
	].map((name) => `n8n-nodes-base.${name}`),
);

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
const isTrigger = ({ type }: INode) => type.endsWith('Trigger');
const credentialTypes = packServices.map(({ Credential }) => new Credential().name);
const demo = createDemo();
const secrets = [
	demo.application.privateJwk.d,
	demo.user.privateJwk.d,
	...demo.application.privatePem.split('\n').filter((line) => line && !line.startsWith('-----')),
	demo.twoFactor.apiKey,
	demo.eventData.apiKey,
	demo.eventRegistration.apiKey,
];

test('there are ten of them, each with a name and an id of its own', () => {
	expect(files.length).toBeGreaterThanOrEqual(10);
	expect(new Set(files.map((file) => read(file).name)).size).toBe(files.length);
	expect(new Set(files.map(workflowId)).size).toBe(files.length);
});

test('no two of them answer to the same address', () => {
	const addresses = files.flatMap((file) =>
		read(file).nodes.flatMap(({ webhookId }) => (webhookId ? [webhookId] : [])),
	);
	expect(new Set(addresses).size).toBe(addresses.length);
	const nodeIds = files.flatMap((file) => read(file).nodes.map(({ id }) => id));
	expect(new Set(nodeIds).size).toBe(nodeIds.length);
});

describe.each(files)('%s', (file) => {
	const { nodes, connections, ...rest } = read(file);
	const working = nodes.filter((node) => !isNote(node));
	const notes = nodes.filter(isNote);
	const mine = working.filter(({ type }) => type.startsWith(`${pack.name}.`));
	const tables = working.flatMap(
		({ parameters }) => (parameters.tableName as string | undefined) ?? [],
	);

	test('is a workflow and nothing more', () => {
		expect(Object.keys(rest).sort()).toEqual(['name', 'pinData', 'settings']);
		expect(rest.settings).toEqual({ executionOrder: 'v1' });
		expect(rest.pinData).toEqual({});
		expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
	});

	test('uses the pack, and nodes that every n8n has', () => {
		expect(mine.length).toBeGreaterThan(0);
		const unknown = nodes.filter(({ type }) => !ours.has(type) && !theirs.has(type));
		expect(unknown.map(({ type }) => type)).toEqual([]);
	});

	test('names resources, operations, fields and choices that exist, and leaves out none that is required', () => {
		const problems = mine.flatMap((node) =>
			problemsOf(node, ours.get(node.type)!).map((problem) => `${node.name}: ${problem}`),
		);
		expect(problems).toEqual([]);
		for (const { type, parameters } of mine.filter((node) => !isTrigger(node))) {
			// The panel's first choice may change; what an example does must not.
			expect({ type, ...parameters }).toMatchObject({
				resource: expect.any(String),
				operation: expect.any(String),
			});
		}
	});

	test('is wired up: no loose ends, no names that nobody has', () => {
		const names = new Set(working.map(({ name }) => name));
		const targets = Object.values(connections).flatMap(({ main }) => main.flat());
		const mentioned = [
			...Object.keys(connections),
			...targets.map(({ node }) => node),
			...[...textOf(file).matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name!),
		];
		expect(mentioned.filter((name) => !names.has(name))).toEqual([]);
		const reached = new Set(targets.map(({ node }) => node));
		const loose = working.filter((node) => !isTrigger(node) && !reached.has(node.name));
		expect(loose.map(({ name }) => name)).toEqual([]);
	});

	test('can be started by hand', () => {
		const byHand = ['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.formTrigger'];
		expect(working.some(({ type }) => byHand.includes(type))).toBe(true);
	});

	test('explains itself: what it does, what to click, what to change', () => {
		const [about, ...others] = notes.map(({ parameters }) => `${parameters.content as string}`);
		expect(about).toMatch(/^## .+\n.{80,}/);
		expect(about).toContain('**Try it**');
		expect(about).toContain('**Make it yours**');
		expect(others.length).toBeGreaterThan(0);
		// What is set in italics is the name of a node, or of something else on the screen.
		const italics = [...about!.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, words]) => words!);
		const onScreen = new Set([...working.map(({ name }) => name), 'Trigger URL', ...tables]);
		expect(italics.filter((words) => !onScreen.has(words))).toEqual([]);
	});

	test('is laid out from left to right, without overlaps', () => {
		for (const [from, { main }] of Object.entries(connections)) {
			const at = working.find(({ name }) => name === from)!.position[0];
			const next = main.flat().map(({ node }) => working.find(({ name }) => name === node)!);
			expect(next.filter(({ position }) => position[0] <= at).map(({ name }) => name)).toEqual([]);
		}
		// A node with its label takes about 192 by 144.
		const nodeBoxes = working.map(({ position: [x, y], name }) => ({
			name,
			box: [x - 48, y, 192, 144],
		}));
		const noteBoxes = notes.map(({ position: [x, y], parameters, name }) => ({
			name,
			box: [x, y, Number(parameters.width), Number(parameters.height)],
		}));
		expect([...overlaps(nodeBoxes), ...overlaps(noteBoxes)]).toEqual([]);
	});

	test('names credentials by type, without an id or a secret', () => {
		const text = textOf(file);
		expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
		expect(text).not.toMatch(/PRIVATE KEY|\beyJ[\w-]{10,}\.|"(password|apiKey|privateKey|secret)"/);
		for (const { type, credentials = {} } of working) {
			const wanted = (ours.get(type)?.credentials ?? []).map(({ name }) => name);
			expect(Object.keys(credentials)).toEqual(wanted);
			expect(credentialTypes).toEqual(expect.arrayContaining(wanted));
			for (const given of Object.values(credentials)) {
				expect(given).toEqual({ id: null, name: expect.stringMatching(/ \(sandbox\)$/) });
			}
		}
	});

	test('knows no machine but its own', () => {
		const text = textOf(file);
		const addresses = [...text.matchAll(/https?:\/\/[^\s"')\\]+/g)].map(([address]) => address);
		expect(addresses.filter((address) => address !== 'http://127.0.0.1:4010/phone')).toEqual([]);
		expect(text).not.toMatch(/\/(home|root|tmp|Users|work)\//);
	});
});

interface Boxed {
	name: string;
	box: number[];
}

/** Pairs of boxes (x, y, width, height) that share some space. */
function overlaps(boxes: Boxed[]): string[] {
	return boxes.flatMap((one, index) =>
		boxes
			.slice(index + 1)
			.filter(({ box: [x, y, width, height] }) => {
				const [ox, oy, owidth, oheight] = one.box as [number, number, number, number];
				return x! < ox + owidth && ox < x! + width! && y! < oy + oheight && oy < y! + height!;
			})
			.map((other) => `${one.name} and ${other.name}`),
	);
}

const filledForms = files.flatMap((file) =>
	read(file).nodes.flatMap(({ name, parameters }) => {
		const { value, schema } = (parameters.details ?? {}) as Partial<ResourceMapperValue>;
		const { value: eventId } = (parameters.eventId ?? {}) as { value?: string };
		return schema ? [{ label: `${file}: ${name}`, value, schema, eventId }] : [];
	}),
);

test.each(filledForms)('$label maps onto fields that the form in the sandbox has', (filled) => {
	const { value, schema, eventId } = filled;
	const form = eventId ? registrationForm(Number(eventId) - 1001) : contactForm();
	const names = form.map(({ name }) => name);
	const columns = schema.map(({ id }) => id);
	expect(columns.filter((id) => !names.includes(id))).toEqual([]);
	expect(Object.keys(value ?? {}).filter((id) => !columns.includes(id))).toEqual([]);
});
