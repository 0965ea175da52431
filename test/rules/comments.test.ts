// Protects developers from comments that mislead by an outdated name: each name and path in backticks exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { typeScriptFilesBelow, root } from './files';

// A name occurs in the code of the same file, or other files can use it: an exported name, a member, a value, a file.

/** Names inside of n8n's server, its agents and LangChain, which are not installed here, of JavaScript, and of a date format. */
const FOREIGN_NAMES = new Set([
	'NaN',
	'PM',
	'__proto__',
	'ExecutionEntity',
	'ExecutionNotFoundError',
	'WaitTracker',
	'_isToolCall',
	'createEngineRequests',
	'getWaitingExecutions',
	'mergedJson',
	'parseSignatureParam',
	'markAsReady',
	'performStartupRecovery',
	'setupHealthCheck',
	'processHitlResponses',
	'rawBodyReader',
	'stopExecution',
]);

const COMMENT = /^\s*\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ [^\n]*/gm;
const NAME = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*(\(\))?$/;
const PATH = /^(\.\.?\/)*([\w.-]+\/)*[\w-]+(\.\w+)*\/?$/;
const MEDIA_TYPE = /^(application|multipart|text)\//;

const readSource = (file: string) => readFileSync(join(root, file), 'utf8');
const findWords = (text: string): string[] => text.match(/[\w$]+/g) ?? [];

/** Everything in backticks in the comments of the pack, with its file. A span may continue on the next line of its comment. */
const spans = ['nodes', 'credentials'].flatMap(typeScriptFilesBelow).flatMap((file) =>
	[...readSource(file).matchAll(COMMENT)].flatMap(([comment]) =>
		[...comment.matchAll(/`([^`]+)`/g)].map(([, span]) => ({
			file,
			span: span!.replace(/\s*\n\s*\* ?/g, ' '),
		})),
	),
);

const splitName = (name: string) => name.replace('()', '').split('.');

const readCodeWithoutComments = (file: string) => readSource(file).replace(COMMENT, '');

/** Names in code that other files can use: exported names, members and values. Local variables and parameters are not among them. */
const SHARED_NAMES = [
	/export (?:abstract )?(?:async )?(?:const|function|class|interface|type) (\w+)/g,
	/^\t+(?:(?:readonly|private|protected|static|async|get|abstract) )*(\w+)[?!]?(?=[:(<])/gm,
	/'(\w+)'/g,
];

it('comments name only identifiers that occur in code, contracts or the types of n8n', () => {
	const files = ['nodes', 'credentials', 'sandbox', 'lab'].flatMap(typeScriptFilesBelow);
	const knownNames = new Set([
		...files.flatMap((file) =>
			SHARED_NAMES.flatMap((name) =>
				[...readCodeWithoutComments(file).matchAll(name)].map(([, found]) => found!),
			),
		),
		...files.map((file) => basename(file, '.ts')),
		...['contracts', ...['n8n-workflow', 'n8n-core'].map((name) => `node_modules/${name}/dist`)]
			.flatMap((folder) => findFiles(folder, /\.(yaml|json|d\.ts)$/))
			.flatMap((file) => findWords(readSource(file))),
	]);

	const names = spans.filter(({ span }) => NAME.test(span) && !span.endsWith('.ts'));
	expect(names.length).toBeGreaterThan(300);
	const wordsByFile = new Map(
		files.map((file) => [file, new Set(findWords(readCodeWithoutComments(file)))]),
	);
	const unknown = names.filter(({ file, span }) =>
		splitName(span).some(
			(part) =>
				!knownNames.has(part) && !wordsByFile.get(file)!.has(part) && !FOREIGN_NAMES.has(part),
		),
	);
	expect(unknown).toEqual([]);
	const usedNames = new Set(names.flatMap(({ span }) => splitName(span)));
	expect([...FOREIGN_NAMES].filter((name) => !usedNames.has(name) || knownNames.has(name))).toEqual(
		[],
	);
});

it('comments name only files and folders that exist', () => {
	const files = ['nodes', 'credentials', 'sandbox', 'lab', 'test'].flatMap(typeScriptFilesBelow);
	const paths = spans.filter(
		({ span }) =>
			PATH.test(span) && (span.includes('/') || span.endsWith('.ts')) && !MEDIA_TYPE.test(span),
	);
	expect(paths.length).toBeGreaterThan(10);
	const absent = paths.filter(({ file, span }) => {
		if (span.startsWith('.')) {
			const target = join(root, dirname(file), span);
			return ![target, `${target}.ts`].some(existsSync);
		}
		const path = `/${span.replace(/^(\.\.?\/)+|\.ts$|\/$/g, '')}`;
		const isPartOfPath = (file: string) => `/${file}/`.replace('.ts/', '/').includes(`${path}/`);
		return !existsSync(join(root, path)) && !files.some(isPartOfPath);
	});
	expect(absent).toEqual([]);
});

/** Lists the files below a folder whose names match. */
function findFiles(folder: string, name: RegExp): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => name.test(file))
		.map((file) => join(folder, file));
}
