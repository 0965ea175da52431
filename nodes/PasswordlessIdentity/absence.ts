import { isNotFound } from '../engine/http/statuses';
import type { ServiceResponse } from '../engine/http/types';
import { firstText } from '../engine/values/convert';

/** Advice for a 404 or 410 that is not the issuer's own statement. */
export const UNSTATED_ADVICE =
	"The answer doesn't say that the issuer doesn't know this ID. It may come from another server: check 'Base URL' in the credential.";

/** Returns the label of an error: the last part of its `type` URI. */
export const readErrorLabel = (body: unknown): string | undefined => {
	const type = firstText(body, ['type']);
	return type && /([a-z][a-z-]*)\/?$/.exec(type)?.[1];
};

/** Whether the issuer itself states that a key was revoked. */
export const statesRevokedKey = (response: ServiceResponse): boolean =>
	isNotFound(response) && readErrorLabel(response.body) === 'revoked-key';

/** Whether the issuer itself states that it does not know a key, or that the key was revoked. */
export const statesKeyAbsence = (response: ServiceResponse): boolean =>
	statesRevokedKey(response) ||
	(isNotFound(response) && readErrorLabel(response.body) === 'unknown-key');

/** Whether the issuer itself states that it does not know a job, or that the job timed out. */
export const statesJobAbsence = (response: ServiceResponse): boolean =>
	isNotFound(response) &&
	['unknown-job', 'expired-job'].includes(readErrorLabel(response.body) ?? '');
