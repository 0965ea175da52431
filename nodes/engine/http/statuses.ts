import type { ServiceFailure } from '../errors';
import type { ServiceResponse } from './types';

/** Whether a status says that the service rejects the credential. */
export const isCredentialStatus = (status: number | undefined): boolean =>
	status === 401 || status === 403;

/** Whether a response has a status that servers use for what does not exist. Any server answers so to a wrong path. */
export const isNotFound = ({ status }: { status?: number }): boolean =>
	status === 404 || status === 410;

/**
 * Whether a service that states absences only by their status says that a record does not exist. Text comes from a proxy in
 * front of the service, which does not know the records.
 */
export const isGone = (result: ServiceResponse | ServiceFailure): boolean =>
	isNotFound(result) && !('isText' in result ? result.isText : result.kind === 'text');
