import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { filesBelow, root } from './files';

/** Words that are not used in any text that a user sees, each with a sentence that it is found in. */
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

/** Habits that make a comment hard to follow, each with a sentence that it is found in. */
export const AVOIDED_IN_COMMENTS: Array<[word: RegExp, example: string]> = [
	[/\b(any|some|no)body\b/i, 'Nobody is asked'],
	[/\bwho(ever|soever)\b|\bthat which\b/i, 'For whoever reads it'],
	[/(^|[.:;] )(What|Of what|Of which)\b(?!.*\?)/, 'What is known of it'],
	[/\b(go|goes|going|went) on\b(?! to\b)/i, 'The execution goes on'],
	[/\b(woken|wakes?) (it|them|up)\b|\bis woken\b/i, 'An execution is woken'],
	[/\b(puts?|putting|comes?|came|coming)( it| them)? out\b/i, 'What comes out of it'],
	[/\b(is|are|was|were|be|been|gets?|unless) told\b/i, 'The user is told'],
	[/\b(in vain|of its own accord|by no means|an earlier life)\b/i, 'It is asked in vain'],
	[/\b(sure|surely)\b/i, 'It surely holds records'],
	[/\bsteady\b/i, 'The steady clock'],
	[/\bby the time of day\b/i, 'Compared by the time of day'],
	[/\bhand(s|ed|ing)?( \w+)? (in|over)\b/i, 'IDs that are handed in'],
	[/\blook(s|ed|ing)? (at|after|again)\b/i, 'It looks at the ID'],
	[/\b(ask(s|ed|ing)?|asked) after\b/i, 'The ID is asked after'],
	[/\b(roster|verdicts?)\b/i, 'The verdict on an ID'],
	[/\b(illegible|sick)\b/i, 'The service is sick'],
	[/\b(takes?|taking|taken|took) up\b/i, 'Saved state is taken up'],
	[/\bin mind\b/i, 'Kept in mind'],
];

/** What is wrong with a text, if anything is. */
export const avoidedIn = (text: string, avoided = AVOIDED): string[] =>
	avoided.flatMap(([word]) => word.exec(text)?.[0] ?? []);

/** Every comment in a file, without its marks and on one line; lines of `//` that follow each other are one comment. */
export function commentsIn(file: string): string[] {
	const text = readFileSync(join(root, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const ranges = new Map<number, ts.CommentRange>();
	const visit = (node: ts.Node): void => {
		const found = [
			...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
			...(ts.getTrailingCommentRanges(text, node.end) ?? []),
		];
		for (const range of found) ranges.set(range.pos, range);
		for (const child of node.getChildren(source)) visit(child);
	};
	visit(source);
	const comments: Array<{ text: string; end: number }> = [];
	for (const { pos, end, kind } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
		const last = comments.at(-1);
		const line = text.slice(pos, end);
		const follows = last && kind === ts.SyntaxKind.SingleLineCommentTrivia;
		if (follows && text.slice(last.end, pos).trim() === '') {
			last.text += ` ${line}`;
			last.end = end;
		} else comments.push({ text: line, end });
	}
	return comments.map((comment) =>
		comment.text
			.replaceAll(/`[^`]*`/g, '`…`')
			.replaceAll(/(^|\s)(\/\*\*?|\*\/|\*|\/\/)(?=\s|$)/g, ' ')
			.replaceAll(/\s+/g, ' ')
			.trim(),
	);
}

/** Every text in the code of a file that could be read by a person: more than one word, and no name of a module. */
export function textsInCode(file: string): string[] {
	const source = ts.createSourceFile(
		file,
		readFileSync(join(root, file), 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
		if (ts.isStringLiteralLike(node)) texts.push(node.text);
		// A value in between stands for a word.
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

/** The members of n8n's descriptions that are shown. */
const SHOWN = new Set([
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

/** Every text in a description that n8n shows. The name of a choice is one; that of a field is not. */
export function textsShown(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	if (Array.isArray(value)) return value.flatMap(textsShown);
	const isChoice = 'name' in value && 'value' in value;
	return Object.entries(value).flatMap(([name, inside]) => {
		if (typeof inside !== 'string') return textsShown(inside);
		return SHOWN.has(name) || (isChoice && name === 'name') ? [inside] : [];
	});
}

/** What an example shows: the names of its nodes, and its notes. */
export function textsInExample(file: string): string[] {
	const { name, nodes } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
		name: string;
		nodes: Array<{ name: string; parameters: { content?: string } }>;
	};
	return [name, ...nodes.flatMap((node) => [node.name, node.parameters.content ?? ''])];
}

/** The prose of a page: code in it is what others wrote, or is to be typed. */
export function textsInPage(file: string): string[] {
	return readFileSync(join(root, file), 'utf8')
		.replace(/```[\s\S]*?```/g, '')
		.replace(/<!--[\s\S]*?-->/g, '')
		.replace(/`[^`\n]*`/g, '`…`')
		.split('\n')
		.filter((line) => line.trim() !== '');
}

/** All files below a folder with one of these endings. */
export function filesWith(folder: string, ...endings: string[]): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
		.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
		.filter((file) => !/node_modules|\.run|artifacts/.test(file));
}

/** The TypeScript files of a folder, without some. */
export const codeOf = (folder: string, without = /^$/): string[] =>
	filesBelow(folder).filter((file) => !without.test(file));
