import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import services from '../../contracts/services.json';
import { filesBelow, root } from './files';

/** What a file imports: paths from the project's root, or the names of packages. */
function importsOf(file: string): string[] {
	const source = readFileSync(join(root, file), 'utf8');
	const found = source.matchAll(/(?:from|import|require\()\s*'([^']+)'/g);
	return [...found].map(([, name]) =>
		name!.startsWith('.')
			? relative(root, resolve(join(root, dirname(file)), name!))
					.split(sep)
					.join('/')
			: name!,
	);
}

const violations = (folder: string, allowed: (name: string) => boolean) =>
	filesBelow(folder).flatMap((file) =>
		importsOf(file)
			.filter((name) => !allowed(name))
			.map((name) => `${file} imports ${name}`),
	);

it('the engine knows only n8n-workflow, jose, Node.js cryptography and itself', () => {
	const allowed = (name: string) =>
		['n8n-workflow', 'jose', 'crypto'].includes(name) || name.startsWith('nodes/engine/');
	expect(violations('nodes/engine', allowed)).toEqual([]);
});

it('the engine has no service in it', () => {
	const titles = Object.values(services).map(({ title }) => title.replace(/[ -]/g, '.?'));
	const names = new RegExp(
		[...titles, 'passwordless', 'scope job', 'approval request'].join('|'),
		'i',
	);
	const found = filesBelow('nodes/engine').filter((file) =>
		names.test(readFileSync(join(root, file), 'utf8')),
	);
	expect(found).toEqual([]);
});

/** The rooms of the engine, each of which knows only those before it. */
const rooms = [
	'n8n',
	'asTool',
	'errors',
	'sleep',
	'field',
	'values',
	'http',
	'operation',
	'panel',
	'run',
	'token',
	'watch',
	'follow',
	'wait',
	'park',
	'review',
	'trigger',
	'changes',
	'handOver',
];
/** The room that a path lies in. */
const roomOf = (path: string) => path.split('/')[2]!.replace(/\.ts$/, '');

it('every part of the engine lies in a room', () => {
	const found = filesBelow('nodes/engine').map(roomOf);
	expect([...new Set(found)].sort()).toEqual([...rooms].sort());
});

it.each(rooms)('no arrow runs back from the room %s', (room) => {
	const known = rooms.slice(0, rooms.indexOf(room) + 1);
	const back = filesBelow('nodes/engine')
		.filter((file) => roomOf(file) === room)
		.flatMap((file) =>
			importsOf(file)
				.filter((name) => name.startsWith('nodes/') && !known.includes(roomOf(name)))
				.map((name) => `${file} imports ${name}`),
		);
	expect(back).toEqual([]);
});

it('who watches is pure, and knows nobody', () => {
	const allowed = (name: string) => !name.startsWith('nodes/') || roomOf(name) === 'watch';
	expect(violations('nodes/engine/watch', allowed)).toEqual([]);
});

it.each([
	['the pack', ['nodes', 'credentials']],
	['sandbox, lab, tests and benchmarks', ['sandbox', 'lab', 'test', 'bench']],
])('in %s no files import each other in a circle, types included', (_, folders) => {
	const files = new Set(folders.flatMap(filesBelow));
	const next = (file: string) =>
		importsOf(file)
			.flatMap((name) => [`${name}.ts`, `${name}/index.ts`])
			.filter((name) => files.has(name));
	const open: string[] = [];
	const done = new Set<string>();
	const circles: string[] = [];
	const visit = (file: string) => {
		if (open.includes(file)) circles.push([...open.slice(open.indexOf(file)), file].join(' → '));
		if (open.includes(file) || done.has(file)) return;
		open.push(file);
		next(file).forEach(visit);
		open.pop();
		done.add(file);
	};
	files.forEach(visit);
	expect(circles).toEqual([]);
});

it.each(Object.values(services))('$folder knows the engine, and no other service', ({ folder }) => {
	const allowed = (name: string) =>
		['n8n-workflow'].includes(name) ||
		name.startsWith('nodes/engine/') ||
		name.startsWith(`nodes/${folder}/`);
	expect(violations(`nodes/${folder}`, allowed)).toEqual([]);
});

it('every file of the pack is used by another one, or is what n8n loads', () => {
	const files = ['nodes', 'credentials'].flatMap(filesBelow);
	const used = new Set(files.flatMap(importsOf));
	const unused = files
		.filter((file) => !/\.(node|credentials)\.ts$/.test(file))
		.map((file) => file.replace(/(\/index)?\.ts$/, ''))
		.filter((name) => !used.has(name));
	expect(unused).toEqual([]);
});

it('credentials know the engine alone', () => {
	const allowed = (name: string) => name === 'n8n-workflow' || name.startsWith('nodes/engine/');
	expect(violations('credentials', allowed)).toEqual([]);
});

it('the sandbox knows nothing of the nodes', () => {
	const forbidden = /^(nodes|credentials|test|lab|bench)\/|^n8n-/;
	expect(violations('sandbox', (name) => !forbidden.test(name))).toEqual([]);
});

it('no source file is longer than 300 lines', () => {
	const long = ['nodes', 'credentials', 'sandbox'].flatMap(filesBelow).filter((file) => {
		const lines = readFileSync(join(root, file), 'utf8').split('\n').length;
		return lines > 301;
	});
	expect(long).toEqual([]);
});
