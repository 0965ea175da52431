import type { IDataObject } from 'n8n-workflow';

/*
 * Reads from a body whether its request succeeded. Services state a failure in many ways, and some do so with a success
 * status. Only the members at the top of a record are read: a form field that an organizer named "Error" is further down.
 */

const SUCCESS_NAME = /^(is)?(success|successful|succeeded|ok)$/;
const STATUS_NAME = /^(status|result|outcome)$/;
const CODE_NAME = /^(code|(http)?status(code)?)$/;
const MESSAGE_NAME = /^(message|msg|reason)$/;
const ERROR_NAME =
	/^((is|has)?errors?|err|error(code|message|msg|text|description|details?)s?|(is)?fail(ed|ure)|exceptions?|faults?|fault(code|string)|modelstate)$/;
/** Names of members that state whether a write was carried out, such as "deleted". */
const COMPLETION_NAME =
	/^(saved|stored|created|added|updated|changed|replaced|deleted|removed|cancell?ed|revoked|sent|registered|confirmed)$/;

/** Statuses of the JSend convention. Others, such as "failed", may be the state of a record. */
const FAILURE_STATUS = /^(error|fail)$/i;
const FAILURE_WORD = /^(error|fail)(s|ed|ure)?$/i;

const NO_ERRORS = /\b(no|without|0) (errors?|problems?)\b/gi;
const NEGATIVE_WORD =
	/\b(no|not|never|cannot|unable|fail\w*|errors?|invalid|incorrect|wrong|den(y|ied)|reject\w*|refus\w*|forbidden|unauthori[sz]ed|locked|expired|unavailable)\b|n['’]t\b/i;
/** Words of completion. "Received" and "accepted" are missing: a service also receives what it refuses later. */
const COMPLETION_WORD =
	/\b(success\w*|succeeded|ok|okay|done|completed?|saved|stored|created|added|updated|changed|replaced|deleted|removed|cancell?ed|revoked|sent|registered|confirmed)\b/i;

/** Returns the name of a member without case, underscores and hyphens. */
export const normalizeMemberName = (name: string): string =>
	name.toLowerCase().replaceAll(/[_-]/g, '');

/**
 * Whether a record says that the request failed. If it has the ID of the requested record, only an explicit denial counts:
 * a record may have a field for errors of its own.
 */
export const deniesSuccess = (record: IDataObject, hasId: boolean): boolean =>
	someMember(record, (name, value) => {
		if (SUCCESS_NAME.test(name)) return isNo(value);
		if (name === 'status' && isText(value, FAILURE_STATUS)) return true;
		if (hasId) return false;
		if (isErrorMember(name, value)) return true;
		if (CODE_NAME.test(name) && isCode(value, /^[45]\d\d$/)) return true;
		return STATUS_NAME.test(name) && isText(value, FAILURE_WORD);
	});

/** Whether a record reports errors, be they errors of the request or a field of its own. */
export const hasErrors = (record: IDataObject): boolean => someMember(record, isErrorMember);

const isErrorMember = (name: string, value: unknown): boolean =>
	ERROR_NAME.test(name) && !isEmpty(value);

/**
 * Whether records without an ID leave open whether the request succeeded: one denies that a write was carried out, or one has
 * a message and nothing confirms the success. The status of a read is the state of what was read, such as "denied". A message
 * confirms the success with an English word of completion.
 */
export const leavesSuccessOpen = (records: IDataObject[], isWrite: boolean): boolean =>
	(isWrite && records.some((record) => someMember(record, deniesWrite))) ||
	(records.some((record) => someMember(record, isMessage)) &&
		!records.some((record) => someMember(record, isConfirmation)));

const isMessage = (name: string, value: unknown): boolean =>
	MESSAGE_NAME.test(name) && !isEmpty(value);

const deniesWrite = (name: string, value: unknown): boolean =>
	STATUS_NAME.test(name)
		? value === false || isText(value, NEGATIVE_WORD)
		: COMPLETION_NAME.test(name) && isNo(value);

function isConfirmation(name: string, value: unknown): boolean {
	if (SUCCESS_NAME.test(name)) return !isEmpty(value) && !isNo(value);
	if (MESSAGE_NAME.test(name)) return confirms(value);
	if (CODE_NAME.test(name) && isCode(value, /^2\d\d$/)) return true;
	if (STATUS_NAME.test(name)) return value === true || isText(value, /\S/);
	return CODE_NAME.test(name) && confirms(value);
}

function confirms(value: unknown): boolean {
	if (typeof value !== 'string') return false;
	const rest = value.replaceAll(NO_ERRORS, '');
	return COMPLETION_WORD.test(rest) && !NEGATIVE_WORD.test(rest);
}

const someMember = (
	record: IDataObject,
	test: (name: string, value: unknown) => boolean,
): boolean =>
	Object.entries(record).some(([name, value]) => test(normalizeMemberName(name), value));

const isText = (value: unknown, pattern: RegExp): boolean =>
	typeof value === 'string' && pattern.test(value.trim());

const isNo = (value: unknown): boolean =>
	value === false || value === 0 || isText(value, /^(false|no?|0|fail(ed|ure)?|error)$/i);

const isCode = (value: unknown, pattern: RegExp): boolean =>
	isText(typeof value === 'number' ? `${value}` : value, pattern);

/** Whether a member for errors holds none: `null`, `0`, `""`, `"none"`, or only such values. */
function isEmpty(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
	return !value || isText(value, /^(0|false|none|null|no errors?\.?)?$/i);
}
