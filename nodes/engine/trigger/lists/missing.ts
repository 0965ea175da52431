import { ServiceFailure } from '../../errors';
import { verdictOf } from '../../wait/ask';

/** Throws a failure on, unless it says that there is nothing by that name. */
export function rethrowUnlessMissing(error: unknown): void {
	const isMissing = error instanceof ServiceFailure && verdictOf(error).kind === 'missing';
	if (!isMissing) throw asIs(error);
}

const asIs = (error: unknown) => error;
