import type { Answer } from './types';

/** What is nested deeper than this is no record of any service, and breaks whatever walks through it later. */
const DEEPEST = 200;

/** Reads a raw body: JSON where it is JSON of a sane depth, a text otherwise. */
export function readBody(raw: unknown): Pick<Answer, 'kind' | 'body'> {
	if (raw === undefined || raw === null || raw === '') return { kind: 'empty', body: undefined };
	if (typeof raw !== 'string') return { kind: 'json', body: raw };
	try {
		const body: unknown = JSON.parse(raw);
		return isDeep(body, DEEPEST) ? { kind: 'text', body: raw } : { kind: 'json', body };
	} catch {
		return raw.trim() === '' ? { kind: 'empty', body: undefined } : { kind: 'text', body: raw };
	}
}

function isDeep(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	const held: unknown[] = Array.isArray(value) ? value : Object.values(value);
	return held.some((entry) => isDeep(entry, levels - 1));
}
