import type { IDataObject } from 'n8n-workflow';

/** What n8n's editor writes when a field of the incoming data is dragged into a parameter, and nothing besides. */
const REFERENCE =
	/^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[\d{1,9}\]|\["[^"\\{}\p{Cc}]+"\]|\['[^'\\{}\p{Cc}]+'\])+)\s*\}\}$/u;
const STEP = /\.([\w$]+)|\[(\d+)\]|\["([^"]+)"\]|\['([^']+)'\]/gu;

/** Says that n8n has to be asked what something comes to. */
export const UNRESOLVED = Symbol('unresolved');

/** What a parameter comes to for an item with this data, or `UNRESOLVED`. */
export type ReferenceReader = (json: IDataObject) => unknown;

/** Whether n8n takes something for an expression: every text that begins so. */
const isExpression = (value: unknown): value is string =>
	typeof value === 'string' && value.startsWith('=');

/** Whether something may come to another value for another item. */
export const holdsExpression = (raw: unknown): boolean =>
	typeof raw === 'object' && raw !== null
		? Object.values(raw).some(holdsExpression)
		: isExpression(raw);

/**
 * Reads a parameter whose expressions are all plain references to the item's own data; nothing if it holds any other. n8n
 * takes a millisecond for each of them and for each item, since it builds a world for it in which anything can be said.
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
	// Where n8n would look further than the data, or forbids to.
	if (path.some((name) => name in Object.prototype)) return undefined;
	return (json) => {
		let found: unknown = json;
		for (const name of path) {
			if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
				return UNRESOLVED;
			found = (found as IDataObject)[name];
		}
		return isUnchangedByN8n(found) ? found : UNRESOLVED;
	};
}

/** Of anything else n8n might make something of its own. */
const isUnchangedByN8n = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
