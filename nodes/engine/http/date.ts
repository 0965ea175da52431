import type { ServiceResponse } from './types';

/**
 * Returns the time in a response's Date header (the service's clock), in epoch milliseconds; `undefined` if the header is
 * missing or invalid.
 */
export function dateOf({ headers }: Pick<ServiceResponse, 'headers'>): number | undefined {
	const time = Date.parse(headers.date ?? '');
	return Number.isNaN(time) ? undefined : time;
}
