import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';

import { root } from './files';

/** One numbered step of the example in CONTRIBUTING.md. */
interface Step {
	/** The file that the step edits: the first path that it names. */
	file: string;
	/** Its code blocks, without the list's indentation. */
	blocks: string[];
}

const FENCE = /^( *)```(?:ts|yaml|md)\n([\s\S]*?)^ *```$/gm;

const findBlocks = (text: string): string[] =>
	[...text.matchAll(FENCE)].map(([, indent = '', code = '']) =>
		code.replace(new RegExp(`^${indent}`, 'gm'), ''),
	);

export const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** Returns the steps in order, and the blocks outside of them, which are the second example. */
export function readGuide(): { steps: Step[]; otherBlocks: string[] } {
	const texts = [...guide.matchAll(/^\d\. \*\*[\s\S]*?(?=^\S)/gm)].map(([text]) => text);
	const steps = texts.map((text) => ({
		file: /`(\w[\w/]*[./][\w./]+)`/.exec(text)?.[1] ?? '',
		blocks: findBlocks(text),
	}));
	const remainingText = texts.reduce((page, text) => page.replace(text, ''), guide);
	return { steps, otherBlocks: findBlocks(remainingText) };
}

/** Folders that are copied, because they contain or import a file that the example edits. Others are linked. */
const COPIED_FOLDERS = ['contracts', 'nodes/EventData', 'sandbox', 'test'];
/** Folders that no file of the copy needs. */
const OMITTED_FOLDERS = /\/test\/(bench|e2e|soak|mutation)$/;

/** A temporary copy of the project in which tests can edit files. */
export class ProjectCopy {
	readonly root = mkdtempSync(join(tmpdir(), 'guide-'));
	readonly load = createRequire(join(this.root, 'index.js'));

	constructor() {
		const filter = (path: string) => !OMITTED_FOLDERS.test(path);
		for (const folder of COPIED_FOLDERS) {
			cpSync(join(root, folder), join(this.root, folder), { recursive: true, filter });
		}
		this.link('.', ['node_modules', 'credentials', 'package.json', 'CHANGELOG.md']);
		this.link('nodes', readdirSync(join(root, 'nodes')));
	}

	/** Links files and folders of the project into the copy, except copied ones. */
	private link(folder: string, names: string[]): void {
		for (const name of names) {
			const path = join(folder, name);
			if (!COPIED_FOLDERS.includes(path)) symlinkSync(join(root, path), join(this.root, path));
		}
	}

	read(file: string): string {
		return readFileSync(join(this.root, file), 'utf8');
	}

	write(file: string, text: string): void {
		// The file may be a link to a file of the project, which must not change.
		rmSync(join(this.root, file), { force: true });
		writeFileSync(join(this.root, file), text);
	}

	/** Inserts lines before the only place that has this text, indented by `indent`. */
	insert(file: string, before: string, lines: string, indent = ''): void {
		const [head, tail, ...otherParts] = this.read(file).split(before);
		if (tail === undefined || otherParts.length > 0)
			throw new Error(`${file} must have once: ${before}`);
		this.write(file, head + lines.replace(/^(?=.)/gm, indent) + before + tail);
	}

	/** Returns the compiler's messages about these files. */
	typeErrors(files: string[]): string[] {
		const { options } = ts.parseJsonConfigFileContent(this.config(), ts.sys, this.root);
		const host = ts.createCompilerHost(options);
		// Resolves n8n-workflow and none of the packages that its types import: those take the compiler seconds.
		host.resolveModuleNameLiterals = (literals, importingFile) =>
			literals.map(({ text }) =>
				text.startsWith('.') || (text === 'n8n-workflow' && !importingFile.includes('node_modules'))
					? ts.resolveModuleName(text, importingFile, options, host, undefined, undefined)
					: { resolvedModule: undefined },
			);
		const roots = files.map((file) => join(this.root, file));
		const program = ts.createProgram(roots, options, host);
		return roots
			.flatMap((file) => {
				const source = program.getSourceFile(file)!;
				return [
					...program.getSyntacticDiagnostics(source),
					...program.getSemanticDiagnostics(source),
				];
			})
			.map(({ file, messageText }) => {
				const text = ts.flattenDiagnosticMessageText(messageText, '\n');
				return `${file?.fileName.slice(this.root.length + 1)}: ${text}`;
			});
	}

	/** Returns the project's compiler options, with fewer declarations to read. */
	private config(): object {
		const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) =>
			ts.sys.readFile(file),
		) as { config: { compilerOptions: object } };
		const compilerOptions = { ...config.compilerOptions, types: [], lib: ['es2023'] };
		return { compilerOptions, include: [] };
	}

	remove(): void {
		rmSync(this.root, { recursive: true, force: true });
	}
}
