// Finds the mutants of a source file and generates a copy that contains all of them, each behind a switch.
const ts = require('typescript');

const { SyntaxKind: Kind } = ts;

/** Replacements of each operator. */
const OPERATORS = {
	'<': ['<=', '>='],
	'<=': ['<', '>'],
	'>': ['>=', '<='],
	'>=': ['>', '<'],
	'===': ['!=='],
	'!==': ['==='],
	'+': ['-'],
	'-': ['+'],
	'*': ['/'],
	'/': ['*'],
	'**': ['*'],
	'&': ['|'],
	'>>': ['<<'],
	'&&': ['||'],
	'||': ['&&'],
	'??': ['&&'],
	'+=': ['-='],
	'-=': ['+='],
	'*=': ['/='],
	'&=': ['|='],
	'??=': ['='],
	'||=': ['='],
	'++': ['--'],
	'--': ['++'],
};

/** Replacement of each method; undefined removes the call. */
const METHODS = {
	min: 'max',
	max: 'min',
	ceil: 'floor',
	floor: 'ceil',
	some: 'every',
	every: 'some',
	trim: undefined,
	filter: undefined,
	toLowerCase: undefined,
};

/** Larger numbers are doubled and halved: one more or one less would make no observable difference. */
const MAX_STEPPED_NUMBER = 100;

const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Returns the mutations of a node: ranges of the source and the text that replaces them. */
function mutationsAt(node, source) {
	const replaceWith = (piece, ...texts) =>
		texts.map((text) => ({ start: piece.getStart(source), end: piece.end, text }));
	const condition = node.kind === Kind.ForStatement ? node.condition : node.expression;
	switch (node.kind) {
		case Kind.BinaryExpression: {
			const joinsTexts = node.operatorToken.kind === Kind.PlusToken && isText(node.left);
			const others = OPERATORS[node.operatorToken.getText(source)] ?? [];
			const [left, right] = [node.left.getText(source), node.right.getText(source)];
			return joinsTexts
				? []
				: replaceWith(node, ...others.map((other) => `(${left}) ${other} (${right})`));
		}
		case Kind.PrefixUnaryExpression: {
			if (node.operator === Kind.ExclamationToken)
				return replaceWith(node, node.operand.getText(source));
			const [other] = OPERATORS[ts.tokenToString(node.operator)] ?? [];
			const operand = node.operand.getText(source);
			return replaceWith(node, node.operator === Kind.MinusToken ? operand : `${other}${operand}`);
		}
		case Kind.PostfixUnaryExpression: {
			const [other] = OPERATORS[ts.tokenToString(node.operator)];
			return replaceWith(node, `${node.operand.getText(source)}${other}`);
		}
		case Kind.IfStatement:
			return replaceWith(condition, 'true', 'false');
		case Kind.ConditionalExpression:
			return replaceWith(node.condition, 'true', 'false');
		case Kind.WhileStatement:
		case Kind.ForStatement:
			return condition ? replaceWith(condition, 'false') : [];
		case Kind.TrueKeyword:
			return replaceWith(node, 'false');
		case Kind.FalseKeyword:
			return replaceWith(node, 'true');
		case Kind.StringLiteral:
		case Kind.NoSubstitutionTemplateLiteral:
			return replaceWith(node, node.text === '' ? '"something"' : '""');
		case Kind.TemplateExpression:
			return replaceWith(node, '""');
		case Kind.ArrayLiteralExpression:
			if (isAssigned(node)) return [];
			return replaceWith(node, node.elements.length > 0 ? '[]' : '["something"]');
		case Kind.NumericLiteral: {
			const number = Number(node.text);
			const neighbors =
				number > MAX_STEPPED_NUMBER ? [number * 2, number / 2] : [number + 1, number - 1];
			return replaceWith(node, ...neighbors.map((other) => `(${other})`));
		}
		case Kind.RegularExpressionLiteral: {
			const [, body, flags] = /^\/(.*)\/(\w*)$/.exec(node.text);
			const others = [];
			if (body.startsWith('^')) others.push(`/${body.slice(1)}/${flags}`);
			if (body.endsWith('$')) others.push(`/${body.slice(0, -1)}/${flags}`);
			if (flags.includes('i')) others.push(`/${body}/${flags.replace('i', '')}`);
			return replaceWith(node, ...others);
		}
		case Kind.CallExpression: {
			const { expression: callee } = node;
			if (!ts.isPropertyAccessExpression(callee)) return [];
			const { name } = callee;
			if (!Object.hasOwn(METHODS, name.text)) return [];
			const other = METHODS[name.text];
			return other
				? replaceWith(name, other)
				: replaceWith(node, callee.expression.getText(source));
		}
		case Kind.PropertyAccessExpression:
		case Kind.ElementAccessExpression:
			return node.questionDotToken
				? replaceWith(node.questionDotToken, ts.isPropertyAccessExpression(node) ? '.' : '')
				: [];
		case Kind.ExpressionStatement:
		case Kind.ContinueStatement:
		case Kind.BreakStatement:
		case Kind.ThrowStatement:
			return replaceWith(node, ';');
		case Kind.ReturnStatement:
			return node.expression ? [] : replaceWith(node, ';');
		default:
			return [];
	}
}

/** Whether values are assigned to the members of an array literal. */
const isAssigned = (node) =>
	node.parent.operatorToken?.kind === Kind.EqualsToken && node.parent.left === node;

/** Whether a node keeps its meaning in parentheses. A callee does not, nor does the start of an optional chain. */
function canBeWrapped(node) {
	const { parent } = node;
	if (ts.isStatement(node)) return !ts.isIfStatement(node) && !ts.isIterationStatement(node, false);
	if (!ts.isExpression(node)) return false;
	if (parent.expression !== node) return true;
	return !ts.isCallExpression(parent) && !ts.isOptionalChain(parent);
}

/**
 * Whether a node is only shown in the editor's panel: a property of an object with a display name, unless it is a function.
 * `test/surface` and `test/tables` compare panels; other tests do not depend on them.
 */
const isPanelText = (node) =>
	ts.isPropertyAssignment(node) &&
	!ts.isFunctionLike(node.initializer) &&
	node.parent.properties.some(({ name }) => name?.getText() === 'displayName');

/** Whether a node has no run-time code. */
const hasNoCode = (node) =>
	ts.isTypeNode(node) ||
	ts.isInterfaceDeclaration(node) ||
	ts.isTypeAliasDeclaration(node) ||
	ts.isImportDeclaration(node) ||
	ts.isExportDeclaration(node);

const isName = (node) => node.parent?.name === node || node.parent?.propertyName === node;

/**
 * Returns the mutants of a file, each with its position and replacement, and the generated copy. `M(n)` in the copy returns
 * whether mutant `n` is active; numbers start at `from`.
 */
function mutate(path, text, from = 0) {
	const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	const mutants = [];
	/** The mutants by the node that is duplicated for each of them. */
	const mutantsByCarrier = new Map();

	const find = (node) => {
		if (hasNoCode(node) || isName(node) || isPanelText(node)) return;
		for (const { start, end, text: instead } of mutationsAt(node, source)) {
			let carrier = node;
			if (ts.isIfStatement(node) || ts.isWhileStatement(node)) carrier = node.expression;
			if (ts.isForStatement(node)) carrier = node.condition;
			while (!canBeWrapped(carrier)) carrier = carrier.parent;
			const { line } = source.getLineAndCharacterOfPosition(start);
			const number = from + mutants.length;
			const code = text.split('\n')[line].trim();
			mutants.push({ number, line: line + 1, code, was: text.slice(start, end), instead });
			const knownMutants = mutantsByCarrier.get(carrier) ?? [];
			mutantsByCarrier.set(carrier, [...knownMutants, { number, start, end, instead }]);
		}
		ts.forEachChild(node, find);
	};
	find(source);

	const write = (node) => {
		const [begin, end] = [node.getStart(source), node.end];
		let plain = '';
		let written = begin;
		ts.forEachChild(node, (child) => {
			plain += text.slice(written, child.getStart(source)) + write(child);
			written = child.end;
		});
		plain += text.slice(written, end);
		return (mutantsByCarrier.get(node) ?? []).reduceRight((otherwise, mutant) => {
			const mutated =
				text.slice(begin, mutant.start) + mutant.instead + text.slice(mutant.end, end);
			return ts.isStatement(node)
				? `if (M(${mutant.number})) { ${mutated} } else { ${otherwise} }`
				: `(M(${mutant.number}) ? (${mutated}) : (${otherwise}))`;
		}, plain);
	};
	const copy = `const M: any = (globalThis as any)[Symbol.for('mutation')].reach;\n${write(source)}`;
	return { mutants, copy };
}

module.exports = { mutate };
