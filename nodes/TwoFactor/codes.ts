import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../engine/errors';
import type { Read, Reading } from '../engine/field';
import { missing } from '../engine/http/path';
import type { Answer } from '../engine/http/types';
import { isRecord } from '../engine/values/convert';
import { asObject, errorCode, isTrue, repeatedName, succeeded } from './answers';

/** The service's codes for a no about a code, which is an answer; every other refusal is an error. */
const REJECTION_REASONS: Record<string, string> = {
	'60019': 'usedAlready',
	'60020': 'wrong',
	'60022': 'wrong',
	'60023': 'nothingPending',
};

/** Why a code is not valid; nothing where the answer is not about the code. */
function readRejection(answer: Answer): string | undefined {
	if (!isRecord(answer.body) || succeeded(answer)) return undefined;
	const { message, token } = answer.body;
	const code = errorCode(answer);
	const saysInvalid = code === undefined && typeof token === 'string' && /^is invalid/i.test(token);
	const reason = REJECTION_REASONS[code ?? ''] ?? (saysInvalid ? 'wrong' : undefined);
	return reason !== undefined && /expired/i.test(`${message}`) ? 'expired' : reason;
}

/** Names that the service must use once, whatever the case of their letters. */
const UNIQUE_NAMES = ['success', 'token', 'error_code'];
const ERROR_NAME = /^(error|errors|error_code)$/i;

/**
 * The answer of a check that says yes. A right code grants access, so the answer must be one object that says so
 * and reports no error besides; anything else throws.
 */
export function requireConfirmation(
	answer: Answer,
	confirms: (body: IDataObject) => boolean = () => true,
): IDataObject {
	const { body } = answer;
	const isUnambiguous =
		isRecord(body) &&
		succeeded(answer) &&
		!reportsError(body) &&
		!REJECTION_REASONS[errorCode(answer) ?? ''] &&
		!contradictsSuccess(body) &&
		confirms(body);
	if (isUnambiguous && repeatedName(body, UNIQUE_NAMES) === undefined) return body;
	throw new ServiceFailure("The two-factor service didn't say whether the code is valid", {
		advice: "Treat this as not verified. Check 'Base URL' in the credential.",
	});
}

/** Whether an answer denies in other words what its `success` says. */
const contradictsSuccess = ({ valid, token }: IDataObject): boolean =>
	(valid !== undefined && valid !== null && !isTrue(valid)) ||
	(typeof token === 'string' && /invalid/i.test(token));

const reportsError = (body: IDataObject): boolean =>
	Object.entries(body).some(([name, value]) => ERROR_NAME.test(name) && !isEmpty(value));

const isEmpty = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	value === '' ||
	value === false ||
	(typeof value === 'object' && Object.keys(value).length === 0);

/** Whether an answer is a no about the code, and so an expected outcome. */
export const isCodeRejection = (answer: Answer): boolean => readRejection(answer) !== undefined;

/** A no as output, with the service's words. */
export function rejectionOutput(answer: Answer): IDataObject {
	const { message } = asObject(answer.body);
	const serviceMessage = message === undefined ? {} : { message };
	return { valid: false, reason: readRejection(answer), ...serviceMessage };
}

/** The no to something that no code can look like. It is given without asking, so it uses nothing up. */
export const malformedCode: IDataObject = {
	valid: false,
	reason: 'malformed',
	message: "This doesn't look like a code, so it was not sent to the service",
};

/** Drops the blanks and dashes that people put into a code, and keeps what is left out of errors. */
export function cleanCode(given: unknown, reading: Reading): string {
	const code = `${given}`.replace(/[\s\p{Pd}]/gu, '');
	reading.keepSecret(code);
	return code;
}

/** The code that somebody typed in. */
export const readTypedCode: Read<string> = (given, reading, label) => {
	const code = cleanCode(given, reading);
	if (code === '') throw missing(label);
	return code;
};
