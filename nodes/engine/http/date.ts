import type { Answer } from './types';

/** Returns the time of a response by the service's clock (Date header), in epoch milliseconds; `undefined` without one. */
export function dateOf({ headers }: Pick<Answer, 'headers'>): number | undefined {
	const time = Date.parse(headers.date ?? '');
	return Number.isNaN(time) ? undefined : time;
}
