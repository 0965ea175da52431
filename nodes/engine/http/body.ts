import { isDeeperThan, MAX_JSON_DEPTH } from '../values/depth';
import type { ResponseBody } from './types';

/** Parses a raw body: JSON up to the depth limit, text otherwise. */
export function readBody(raw: unknown): ResponseBody {
	if (raw === undefined || raw === null || raw === '') return { kind: 'empty' };
	if (typeof raw !== 'string') return { kind: 'json', body: raw };
	try {
		const body: unknown = JSON.parse(raw);
		return isDeeperThan(body, MAX_JSON_DEPTH)
			? { kind: 'text', body: raw }
			: { kind: 'json', body };
	} catch {
		return raw.trim() === '' ? { kind: 'empty' } : { kind: 'text', body: raw };
	}
}
