import { isMissing } from '../../http/pollOnce';

/** Rethrows an error, unless it says that the service does not know the record. */
export function rethrowUnlessMissing(error: unknown): void {
	if (!isMissing(error)) throw error;
}
