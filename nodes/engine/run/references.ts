import type { IDataObject } from 'n8n-workflow';

/** Matches exactly the expressions that n8n's editor writes when the user drags a field of the input into a parameter. */
const REFERENCE =
	/^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[\d{1,9}\]|\["[^"\\{}\p{Cc}]+"\]|\['[^'\\{}\p{Cc}]+'\])+)\s*\}\}$/u;
const STEP = /\.([\w$]+)|\[(\d+)\]|\["([^"]+)"\]|\['([^']+)'\]/gu;

/** Result of a reader if only n8n can evaluate the parameter for this item. */
export const UNRESOLVED = Symbol('unresolved');

/** Returns the value of a parameter for an item with this data, or `UNRESOLVED`. */
export type ReferenceReader = (json: IDataObject) => unknown;

/** Same rule as n8n 2.41.1: any string that starts with `=` (n8n-workflow, expressions/expression-helpers.js). */
const isExpression = (value: unknown): value is string =>
	typeof value === 'string' && value.startsWith('=');

/** Whether a raw value contains an expression at any depth, so that items may have different values. */
export const holdsExpression = (raw: unknown): boolean =>
	typeof raw === 'object' && raw !== null
		? Object.values(raw).some(holdsExpression)
		: isExpression(raw);

/**
 * Returns a reader for a parameter whose expressions are all plain references to the item's own data; undefined if the
 * parameter contains any other expression. n8n 2.41.1 takes about a millisecond per expression and item, since it creates a
 * WorkflowDataProxy each time.
 */
export function readerOf(raw: unknown): ReferenceReader | undefined {
	if (isExpression(raw)) return parseReference(raw);
	if (typeof raw !== 'object' || raw === null) return () => raw;
	const members = Object.entries(raw).map(([name, member]) => [name, readerOf(member)] as const);
	if (members.some(([, read]) => !read)) return undefined;
	return (json) => {
		const values = members.map(([name, read]) => [name, read!(json)] as const);
		if (values.some(([, value]) => value === UNRESOLVED)) return UNRESOLVED;
		return Array.isArray(raw) ? values.map(([, value]) => value) : Object.fromEntries(values);
	};
}

function parseReference(expression: string): ReferenceReader | undefined {
	const steps = REFERENCE.exec(expression)?.[1];
	if (steps === undefined) return undefined;
	const path = [...steps.matchAll(STEP)].map((step) => step.slice(1).find(Boolean)!);
	// n8n finds these names on the prototype, or forbids them.
	if (path.some((name) => name in Object.prototype)) return undefined;
	return (json) => {
		let value: unknown = json;
		for (const name of path) {
			if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
				return UNRESOLVED;
			value = Reflect.get(value, name);
		}
		return isUnchangedByN8n(value) ? value : UNRESOLVED;
	};
}

/** Whether n8n returns a value of this type unchanged. n8n may convert or wrap other values. */
const isUnchangedByN8n = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
