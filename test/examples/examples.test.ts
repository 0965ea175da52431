import type { INode, INodeType, INodeTypeDescription, ResourceMapperValue } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { workflowId } from '../../lab/workflows';
import { createDemo } from '../../sandbox/demo';
import { contactForm, registrationForm } from '../../sandbox/demoData/forms';
import { packServices } from '../support/pack';
import { problemsOf } from './parameters';

interface Connection {
	node: string;
	type: string;
	index: number;
}

interface Example {
	name: string;
	nodes: INode[];
	/** By the name of the node from which they lead, then by kind: `main`, or how a part hangs below an agent. */
	connections: Record<string, Record<string, Connection[][]>>;
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
const ours = new Map<string, INodeTypeDescription>(
	pack.n8n.nodes.flatMap((file) => {
		const module = path.basename(file, '.node.js');
		const source = path.join(root, path.dirname(file).replace('dist/', ''), `${module}.node`);
		const Node = jest.requireActual<Record<string, new () => INodeType>>(source)[module]!;
		const { description } = new Node();
		// n8n makes tools of them, and the human review of an agent's tools.
		return ['', 'Tool', 'HitlTool'].map(
			(variant) => [`${pack.name}.${description.name}${variant}`, description] as const,
		);
	}),
);

/** What examples may use of n8n although it needs an account, with the type of its credential. */
const withAccount = new Map([['@n8n/n8n-nodes-langchain.lmChatOpenAi', 'openAiApi']]);

/** The nodes of n8n that examples may use: those that need no account anywhere, and the few above. */
const theirs = new Set([
	...withAccount.keys(),
	'@n8n/n8n-nodes-langchain.agent',
	...[
		'convertToFile',
		'dataTable',
		'dataTableTool',
		'extractFromFile',
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
		'splitInBatches',
		'splitOut',
		'stickyNote',
	].map((name) => `n8n-nodes-base.${name}`),
]);

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
const isTrigger = ({ type }: INode) => type.endsWith('Trigger');
const credentialTypes = packServices.map(({ Credential }) => new Credential().name);
const demo = createDemo();
const secrets = [
	demo.application.privateJwk.d,
	...[demo.user, demo.manager, demo.finance, demo.deputy].map(({ privateJwk }) => privateJwk.d),
	...demo.application.privatePem.split('\n').filter((line) => line && !line.startsWith('-----')),
	demo.twoFactor.apiKey,
	demo.eventData.apiKey,
	demo.eventRegistration.apiKey,
];

test('there are ten examples, each with a name and an ID of its own', () => {
	expect(files.length).toBeGreaterThanOrEqual(10);
	expect(new Set(files.map((file) => read(file).name)).size).toBe(files.length);
	expect(new Set(files.map(workflowId)).size).toBe(files.length);
});

test('no two examples use the same webhook path', () => {
	const addresses = files.flatMap((file) =>
		read(file).nodes.flatMap(({ webhookId }) => (webhookId ? [webhookId] : [])),
	);
	expect(new Set(addresses).size).toBe(addresses.length);
	const nodeIds = files.flatMap((file) => read(file).nodes.map(({ id }) => id));
	expect(new Set(nodeIds).size).toBe(nodeIds.length);
});

test('no table has a name that is part of the name of another', () => {
	// n8n looks for a table by a part of its name, takes the first it finds, and then fails to make the one that exists.
	const tables = files.flatMap((file) =>
		read(file).nodes.flatMap(
			({ parameters }) => (parameters.tableName as string | undefined) ?? [],
		),
	);
	const pairs = tables.flatMap((one) => tables.map((other) => [one, other] as const));
	const mistaken = pairs.filter(
		([one, other]) => one !== other && other.toLowerCase().includes(one.toLowerCase()),
	);
	expect(mistaken).toEqual([]);
	expect(new Set(tables).size).toBe(tables.length);
});

describe.each(files)('%s', (file) => {
	const { nodes, connections, ...rest } = read(file);
	const working = nodes.filter((node) => !isNote(node));
	const notes = nodes.filter(isNote);
	const mine = working.filter(({ type }) => type.startsWith(`${pack.name}.`));
	const tables = working.flatMap(
		({ parameters }) => (parameters.tableName as string | undefined) ?? [],
	);

	test('is a workflow and nothing else', () => {
		expect(Object.keys(rest).sort()).toEqual(['name', 'pinData', 'settings']);
		expect(rest.settings).toEqual({ executionOrder: 'v1' });
		expect(rest.pinData).toEqual({});
		expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
	});

	test('uses the pack and nodes that every n8n has', () => {
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

	test('is connected: no loose ends, no references to unknown nodes', () => {
		const names = new Set(working.map(({ name }) => name));
		const kinds = Object.values(connections).flatMap((kind) => Object.entries(kind));
		const targets = kinds.flatMap(([, outputs]) => outputs.flat());
		for (const [kind, outputs] of kinds) {
			expect(new Set([kind, ...outputs.flat().map(({ type }) => type)]).size).toBe(1);
		}
		const mentioned = [
			...Object.keys(connections),
			...targets.map(({ node }) => node),
			...[...textOf(file).matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name!),
		];
		expect(mentioned.filter((name) => !names.has(name))).toEqual([]);
		const reached = new Set(targets.map(({ node }) => node));
		const serves = (name: string) => connections[name] && !('main' in connections[name]);
		const loose = working.filter(
			(node) => !isTrigger(node) && !reached.has(node.name) && !serves(node.name),
		);
		expect(loose.map(({ name }) => name)).toEqual([]);
	});

	test('can be started by hand', () => {
		// A trigger that follows lists shows the newest record when it is executed.
		const byHand = /^n8n-nodes-base\.(manual|form)Trigger$|\.event\w+Trigger$/;
		expect(working.some(({ type }) => byHand.test(type))).toBe(true);
	});

	test('explains what it does, what to click and what to change', () => {
		const [about, ...others] = notes.map(({ parameters }) => `${parameters.content as string}`);
		expect(about).toMatch(/^## .+\n.{80,}/);
		expect(about).toContain('**Try it**');
		expect(about).toContain('**Make it yours**');
		expect(others.length).toBeGreaterThan(0);
		// What is set in italics is the name of a node, or of something else on the screen.
		const italics = [...about!.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, words]) => words!);
		const events = working.flatMap(({ parameters }) => {
			const { cachedResultName } = (parameters.eventId ?? {}) as { cachedResultName?: string };
			return cachedResultName ?? [];
		});
		const onScreen = new Set([
			...working.map(({ name }) => name),
			...['Trigger', 'Speaker'],
			...tables,
			...events,
		]);
		expect(italics.filter((words) => !onScreen.has(words))).toEqual([]);
	});

	const isLoop = (name: string) =>
		working.some((node) => node.name === name && node.type === 'n8n-nodes-base.splitInBatches');

	test('gives one item at a time to an agent whose tools a person reviews', () => {
		// n8n runs an approved tool once for each item that the agent got, not once for each approval.
		const agents = working
			.filter(({ type }) => type.endsWith('HitlTool'))
			.flatMap(({ name }) => connections[name]!.ai_tool!.flat().map(({ node }) => node));
		const fed = Object.entries(connections).flatMap(([from, { main = [] }]) =>
			main.flatMap((output, index) =>
				output.some(({ node }) => agents.includes(node)) ? [{ from, index }] : [],
			),
		);
		expect(fed.filter(({ from, index }) => !isLoop(from) || index !== 1)).toEqual([]);
	});

	test('is laid out from left to right, parts of agents below them, without overlaps', () => {
		const at = (name: string) => working.find((node) => node.name === name)!.position;
		for (const [from, { main = [], ...parts }] of Object.entries(connections)) {
			const next = main
				.flat()
				.flatMap(({ node }) => (isLoop(node) && at(node)[0] < at(from)[0] ? [] : node));
			expect(next.filter((name) => at(name)[0] <= at(from)[0])).toEqual([]);
			const served = Object.values(parts).flatMap((outputs) => outputs.flat());
			expect(served.filter(({ node }) => at(node)[1] >= at(from)[1])).toEqual([]);
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

	test('has its note where nothing of the editor covers it', () => {
		// n8n shows a checklist in the top left corner of what is published.
		const [about, ...frames] = notes.map(({ position: [x, y] }) => ({ x, y }));
		const bottom = Math.max(...working.map(({ position: [, y] }) => y + 144));
		const left = Math.min(...working.map(({ position: [x] }) => x));
		const top = Math.min(...frames.map(({ y }) => y));
		const isBelow = about!.y >= bottom;
		const isAbove = about!.x >= left + 350 && about!.y <= top - 500;
		expect(isBelow || isAbove).toBe(true);
	});

	test('asks guests for codes and details, and those who decide for approvals', () => {
		const text = textOf(file);
		if (text.includes('severalPeople')) {
			expect(text).toContain('4010/phones)');
			for (const { name, email } of [demo.manager, demo.finance]) {
				expect(text).toContain(name);
				expect(text).not.toContain(email);
			}
			return;
		}
		const asks = (operation: RegExp) =>
			mine.some(({ parameters }) => operation.test(`${parameters.operation as string}`));
		const { user, manager } = demo;
		if (asks(/^(create|sendAndWait)$/) && text.includes('approvalRequest')) {
			expect(text).toContain(manager.email);
			expect(text).toContain('phone?user=manager');
			expect(text).not.toContain(user.email);
		} else expect(text).not.toContain(manager.email);
	});

	test('reads the first item of a node only where there can be no second one', () => {
		const before = (name: string): string[] =>
			Object.entries(connections).flatMap(([from, { main = [] }]) =>
				main.flat().some(({ node }) => node === name) ? [from] : [],
			);
		// A form gives one item each time that it is sent, and some nodes are told to run once.
		const isSingle = (name: string): boolean => {
			const { type, executeOnce } = working.find((node) => node.name === name)!;
			const from = before(name);
			const once = executeOnce === true || type === 'n8n-nodes-base.formTrigger';
			return once || (from.length > 0 && from.every(isSingle));
		};
		const firsts = [...textOf(file).matchAll(/\$\('([^']+)'\)\.(?:first|last|all)\(\)/g)];
		expect(firsts.map(([, name]) => name!).filter((name) => !isSingle(name))).toEqual([]);
	});

	test('names credentials by type, without an ID or a secret', () => {
		const text = textOf(file);
		expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
		expect(text).not.toMatch(/PRIVATE KEY|\beyJ[\w-]{10,}\.|"(password|apiKey|privateKey|secret)"/);
		for (const { type, credentials = {} } of working.filter(
			(node) => !withAccount.has(node.type),
		)) {
			const wanted = (ours.get(type)?.credentials ?? []).map(({ name }) => name);
			expect(Object.keys(credentials)).toEqual(wanted);
			expect(credentialTypes).toEqual(expect.arrayContaining(wanted));
			for (const given of Object.values(credentials)) {
				expect(given).toEqual({ id: null, name: expect.stringMatching(/ \(sandbox\)$/) });
			}
		}
	});

	test('says first which account it needs, if it needs one, and brings none along', () => {
		const [about] = notes.map(({ parameters }) => `${parameters.content as string}`);
		const needing = working.filter(({ type }) => withAccount.has(type));
		for (const { name, type, credentials } of needing) {
			expect(about).toMatch(new RegExp(`\\n1\\. .*account.*\\*${name}\\*`));
			expect(credentials).toEqual({ [withAccount.get(type)!]: { id: null, name: 'Your account' } });
		}
		expect(/\bAPI key\b/i.test(about!)).toBe(needing.length > 0);
	});

	test('contains no host name but its own', () => {
		const text = textOf(file);
		const addresses = [...text.matchAll(/https?:\/\/[^\s"')\\]+/g)].map(([address]) => address);
		const own = ['phone?user=guest', 'phone?user=manager', 'phones', 'desk'].map(
			(page) => `http://127.0.0.1:4010/${page}`,
		);
		expect(addresses.filter((address) => !own.includes(address))).toEqual([]);
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
