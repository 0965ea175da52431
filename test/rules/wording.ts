import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { typeScriptFilesBelow, root } from './files';

/** Words that no text for users contains, each with an example that it matches. */
export const AVOIDED: Array<[word: RegExp, example: string]> = [
	[/\bput(s|ting)?( it| them)? out\b/i, 'The ID, as Enroll put it out'],
	[/\bhand(s|ed|ing)?( \w+)? in\b/i, 'IDs that are handed in'],
	[/\bby (itself|themselves)\b/i, 'It starts by itself'],
	[/\bdo(es)? no harm\b/i, 'Blanks do no harm'],
	[/\b(go|goes|going|went) on\b(?! to\b)/i, 'The workflow goes on'],
	[/\b(any|some|no)body\b/i, 'Nobody is asked'],
	[/\bthe most seconds\b/i, 'The most seconds to wait'],
	[/\bmissing or too much\b/i, 'A part is missing or too much'],
	[/\bas people write it\b/i, 'The number as people write it'],
	[/\blies? between\b/i, 'How much time lies between two checks'],
	[/\blook(s|ed|ing)? at\b/i, 'How often it looks at the ID'],
	[/\b(cancell(ed|ing)|colours?|favours?|behaviours?|licences?)\b/i, 'The job was cancelled'],
	[/\b(organis|recognis|authoris|customis|initialis)\w+/i, 'The organiser of the event'],
];

/** Returns the avoided words in a text. */
export const avoidedIn = (text: string): string[] =>
	AVOIDED.flatMap(([word]) => word.exec(text)?.[0] ?? []);

/** Returns every text in a file's code that could be shown to a user: more than one word, and not a module name. */
export function textsInCode(file: string): string[] {
	const text = readFileSync(join(root, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
		if (ts.isStringLiteralLike(node)) texts.push(node.text);
		// A value between the parts counts as a word.
		if (ts.isTemplateExpression(node)) {
			texts.push(
				node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(''),
			);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return texts.filter((text) => /\S\s+\S/.test(text));
}

/** The properties of n8n's descriptions that the editor shows. */
const SHOWN_PROPERTIES = new Set([
	'displayName',
	'description',
	'placeholder',
	'hint',
	'action',
	'header',
	'executionsHelp',
	'active',
	'inactive',
	'activationHint',
	'activationMessage',
	'eventTriggerDescription',
	'waitingNodeTooltip',
	'content',
]);

/** Returns every text in a description that n8n shows. The name of an option is one; the name of a field is not. */
export function textsShown(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	if (Array.isArray(value)) return value.flatMap(textsShown);
	const isChoice = 'name' in value && 'value' in value;
	return Object.entries(value).flatMap(([name, content]) => {
		if (typeof content !== 'string') return textsShown(content);
		return SHOWN_PROPERTIES.has(name) || (isChoice && name === 'name') ? [content] : [];
	});
}

/** Returns the texts of an example: its name, the names of its nodes, and its notes. */
export function textsInExample(file: string): string[] {
	const { name, nodes } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
		name: string;
		nodes: Array<{ name: string; parameters: { content?: string } }>;
	};
	return [name, ...nodes.flatMap((node) => [node.name, node.parameters.content ?? ''])];
}

/** Returns the prose of a page, without code: others wrote it, or the reader types it. */
export function textsInPage(file: string): string[] {
	return readFileSync(join(root, file), 'utf8')
		.replace(/```[\s\S]*?```/g, '')
		.replace(/<!--[\s\S]*?-->/g, '')
		.replace(/`[^`\n]*`/g, '`…`')
		.split('\n')
		.filter((line) => line.trim() !== '');
}

/** Lists all files below a folder with one of these endings. */
export function filesWith(folder: string, ...endings: string[]): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
		.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
		.filter((file) => !/node_modules|\.run|artifacts/.test(file));
}

/** Lists the TypeScript files of a folder, except those whose paths match `excluded`. */
export const codeOf = (folder: string, excluded = /^$/): string[] =>
	typeScriptFilesBelow(folder).filter((file) => !excluded.test(file));
