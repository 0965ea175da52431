import type { ServiceFailure } from '../errors';
import { isNotFound } from './statuses';
import type { Service } from './types';

/** Words by which services report a used-up quota. A 429 without these words is only a rate limit. */
const QUOTA =
	/\bquota\b|\b(credit|balance|allowance)s? (is |are )?(exhausted|used up|too low)|\binsufficient (credit|funds|balance)/i;

/**
 * Returns the cause that a response states. A 404 or 410 counts only if the last parameter of the path is one of the
 * service's `configurationParams`.
 */
export function statedCauseOf(
	status: number,
	text: string,
	path: string,
	{ configurationParams = [] }: Service,
): ServiceFailure['statedCause'] {
	if (status === 402 || ([403, 429].includes(status) && QUOTA.test(text))) return 'quota-exhausted';
	const lastPathParameter = /\{([^}]+)\}[^{]*$/.exec(path)?.[1] ?? '';
	const isMissing = isNotFound({ status }) && configurationParams.includes(lastPathParameter);
	return isMissing ? 'configuration-invalid' : undefined;
}
