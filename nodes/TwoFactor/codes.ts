import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../engine/errors';
import type { ReadField, ReadContext } from '../engine/field';
import { missingValueError } from '../engine/http/path';
import type { ServiceResponse } from '../engine/http/types';
import type { Branches } from '../engine/operation';
import { isRecord } from '../engine/values/isRecord';
import { deniesCode } from './codeDenials';
import {
	asObject,
	errorCode,
	isFalse,
	isSuccessStatus,
	repeatedName,
	succeeded,
} from './responses';

/** Error codes that reject a one-time code. A rejection is a result; every other error code is an error. */
const REJECTION_REASONS: Record<string, string> = {
	'60019': 'usedAlready',
	'60020': 'wrong',
	'60022': 'wrong',
	'60023': 'nothingPending',
};

/** Returns why the service rejected a code; undefined if the response is not a rejection of the code. */
function readRejection(response: ServiceResponse): string | undefined {
	if (!isRecord(response.body) || succeeded(response)) return undefined;
	const { message, token } = response.body;
	const code = errorCode(response);
	const saysInvalid = code === undefined && typeof token === 'string' && /^is invalid/i.test(token);
	const reason = REJECTION_REASONS[code ?? ''] ?? (saysInvalid ? 'wrong' : undefined);
	return reason !== undefined && /expired/i.test(`${message}`) ? 'expired' : reason;
}

/** Fields that a response must not repeat in different case: it would be unclear which of them counts. */
const UNIQUE_NAMES = ['success', 'token', 'error_code'];

/**
 * Returns the body of a response that accepts a code. A valid code grants access, so the response must be one object that
 * reports success, and no member of it may deny the code. Throws ServiceFailure for anything else.
 */
export function requireConfirmation(
	response: ServiceResponse,
	confirms: (body: IDataObject) => boolean = () => true,
): IDataObject {
	const { body } = response;
	const isUnambiguous =
		isRecord(body) &&
		succeeded(response) &&
		!REJECTION_REASONS[errorCode(response) ?? ''] &&
		!deniesCode(body) &&
		confirms(body);
	if (isUnambiguous && repeatedName(body, UNIQUE_NAMES) === undefined) return body;
	throw new ServiceFailure("The two-factor service didn't say whether the code is valid", {
		uncertain: true,
		advice:
			"Treat this as not verified; the code may have been used up. Check 'Base URL' in the credential.",
	});
}

/** Whether a response rejects the code, which is an expected outcome and not an error. */
export const isCodeRejection = (response: ServiceResponse): boolean =>
	readRejection(response) !== undefined;

/**
 * Whether a response is one that `requireConfirmation` or `rejectionOutput` reads: a rejection of the code, or a success status
 * without an explicit refusal. A refusal of the request itself, such as a wrong API key, is an error with the service's message.
 */
export const isCodeAnswer = (response: ServiceResponse): boolean =>
	isCodeRejection(response) ||
	(isSuccessStatus(response) &&
		response.kind !== 'text' &&
		!isFalse(asObject(response.body).success));

/** Output for a rejected code, with the service's message. */
export function rejectionOutput(response: ServiceResponse): IDataObject {
	const { message } = asObject(response.body);
	const serviceMessage = message === undefined ? {} : { message };
	return { valid: false, reason: readRejection(response), ...serviceMessage };
}

/** Output for a text that cannot be a code. No request is sent, so neither a code nor an attempt is used up. */
export const malformedCodeOutput: IDataObject = {
	valid: false,
	reason: 'malformed',
	message: "This doesn't look like a code, so it was not sent to the service",
};

/** Removes spaces and dashes from a code, and marks the code as secret so that no error shows it. */
export function cleanCode(raw: unknown, context: ReadContext): string {
	const code = `${raw}`.replace(/[\s\p{Pd}]/gu, '');
	context.addSecret(code);
	return code;
}

export const readTypedCode: ReadField<string> = (raw, context, label) => {
	const code = cleanCode(raw, context);
	if (code === '') throw missingValueError(label);
	return code;
};

/** The outputs of every operation that checks a code. */
export const codeBranches: Branches = {
	names: ['Not Valid', 'Valid'],
	isPositive: ({ valid }) => valid === true,
};
