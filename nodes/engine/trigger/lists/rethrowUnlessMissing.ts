import { ServiceFailure } from '../../errors';
import { resultAfterRetries } from '../../http/pollOnce';

/** Rethrows an error, unless it says that the service does not know the record. */
export function rethrowUnlessMissing(error: unknown): void {
	const isMissing = error instanceof ServiceFailure && resultAfterRetries(error).kind === 'missing';
	if (!isMissing) throw error;
}
