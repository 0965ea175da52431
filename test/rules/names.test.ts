// Protects readers of the engine: one name has one meaning, so that an import shows which definition is meant.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

import { typeScriptFilesBelow, root } from './files';

interface ExportedName {
	name: string;
	file: string;
	isType: boolean;
}

const parseSource = (file: string) =>
	ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);

/** Returns the definitions that a file exports, without re-exports. */
function findExports(file: string): ExportedName[] {
	return parseSource(file).statements.flatMap((statement): ExportedName[] => {
		const isExported =
			ts.canHaveModifiers(statement) &&
			ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
		if (!isExported) return [];
		if (ts.isVariableStatement(statement)) {
			return statement.declarationList.declarations.map((declaration) => ({
				name: declaration.name.getText(),
				file,
				isType: false,
			}));
		}
		const isType =
			ts.isInterfaceDeclaration(statement) ||
			ts.isTypeAliasDeclaration(statement) ||
			ts.isClassDeclaration(statement);
		if (!isType && !ts.isFunctionDeclaration(statement)) return [];
		return [{ name: statement.name?.text ?? 'default', file, isType }];
	});
}

/** Returns the files that can define what a module exports: itself, or all files beside it if it is a folder's index. */
const listDefiningFiles = (module: string): string[] =>
	existsSync(join(module, 'index.ts'))
		? readdirSync(module).map((name) => join(module, name))
		: [`${module}.ts`];

/** Returns the names that files of other folders import, each with the file that defines it. */
function findImportsFromOtherFolders(files: string[]): Set<string> {
	const importedNames = new Set<string>();
	for (const file of files) {
		for (const statement of parseSource(file).statements) {
			if (!ts.isImportDeclaration(statement) || !statement.importClause?.namedBindings) continue;
			const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
			const bindings = statement.importClause.namedBindings;
			if (!specifier.startsWith('.') || !ts.isNamedImports(bindings)) continue;
			const target = resolve(root, dirname(file), specifier);
			if (dirname(target) === resolve(root, dirname(file))) continue;
			const definingFiles = listDefiningFiles(target);
			for (const { name, propertyName } of bindings.elements) {
				for (const definingFile of definingFiles)
					importedNames.add(`${(propertyName ?? name).text} ${definingFile}`);
			}
		}
	}
	return importedNames;
}

const engineFiles = typeScriptFilesBelow('nodes/engine');
const exportedNames = engineFiles.flatMap(findExports);
const importedNames = findImportsFromOtherFolders(typeScriptFilesBelow('nodes'));

/** Returns each name that has several definitions, with their files. */
function findRepeated(definitions: ExportedName[]): string[] {
	const byName = new Map<string, Set<string>>();
	// Overloads of one function count as one definition.
	for (const { name, file } of definitions)
		byName.set(name, (byName.get(name) ?? new Set()).add(file));
	return [...byName]
		.filter(([, files]) => files.size > 1)
		.map(([name, files]) => `${name}: ${[...files].join(', ')}`);
}

it('the check finds known definitions of the engine', () => {
	expect(exportedNames.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['Client', 'operation', 'Operation', 'ServiceFailure', 'isRecord']),
	);
});

it('no exported type or class of the engine has two definitions', () => {
	expect(findRepeated(exportedNames.filter(({ isType }) => isType))).toEqual([]);
});

it('no exported function that other folders import has two definitions in the engine', () => {
	const names = new Set(
		exportedNames
			.filter(({ name, file }) => importedNames.has(`${name} ${resolve(root, file)}`))
			.map(({ name }) => name),
	);
	expect(
		findRepeated(exportedNames.filter(({ name, isType }) => !isType && names.has(name))),
	).toEqual([]);
});
