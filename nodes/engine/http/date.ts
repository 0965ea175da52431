import type { Answer } from './types';

/** When the service answered, by its own clock, in milliseconds; nothing if it does not say. */
export function dateOf({ headers }: Pick<Answer, 'headers'>): number | undefined {
	const time = Date.parse(headers.date ?? '');
	return Number.isNaN(time) ? undefined : time;
}
