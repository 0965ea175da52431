import { jsonParse } from 'n8n-workflow';
import type { ITriggerFunctions } from 'n8n-workflow';

import { BadInput } from '../../../errors';
import { isRecord } from '../../../values/isRecord';
import { isBlank } from '../../../values/texts';
import type { NewId } from '../../../watch';
import type { IdTriggerDefinition } from '../idTriggerDefinition';

type SubjectReader = IdTriggerDefinition['readSubject'];

/** Describes the accepted bodies, for error messages. */
const expectedFormat = (readSubject: SubjectReader) =>
	`Post {"id": "…"} or {"ids": ["…", {"id": "…", "data": {…}${readSubject ? ', "subject": "…"' : ''}}]} as JSON.`;

/** Reads the IDs of the node's own field. */
export function idsInNode(
	context: Pick<ITriggerFunctions, 'getNodeParameter'>,
	readSubject: SubjectReader,
): NewId[] {
	const raw: unknown = context.getNodeParameter('ids', '', { rawExpressions: true });
	const { rows = [] } = isRecord(raw) ? raw : {};
	return readEnteredIds(context.getNodeParameter('ids', ''), readSubject, [rows].flat());
}

/**
 * Reads the IDs entered in the node: a string separated by commas, semicolons or white space, a list, or rows of IDs with a
 * subject. The raw rows distinguish a subject that was left empty from an expression that returns nothing.
 */
function readEnteredIds(
	value: unknown,
	readSubject: SubjectReader,
	rawRows: unknown[] = [],
): NewId[] {
	if (value === undefined || value === null || value === '') return [];
	if (Array.isArray(value)) return value.flatMap((entry) => readEnteredIds(entry, readSubject));
	if (typeof value === 'string') return splitIds(value);
	if (!isRecord(value)) return [readNewId(value, readSubject)];
	if ('rows' in value) {
		const rows = [value.rows ?? []].flat();
		return rows.flatMap((row, index) => rowIds(row, readSubject, rawRows[index]));
	}
	return Object.keys(value).length === 0 ? [] : [readNewId(value, readSubject)];
}

function rowIds(row: unknown, readSubject: SubjectReader, raw: unknown): NewId[] {
	if (!isRecord(row)) return readEnteredIds(row, readSubject);
	const isLeftEmpty = isRecord(raw) && (raw.subject ?? '') === '';
	const expectedSubject = isLeftEmpty ? undefined : subjectIn(row, readSubject);
	const ids = readEnteredIds(row.ids, readSubject);
	return expectedSubject === undefined
		? ids
		: ids.map((item) => ({ subject: expectedSubject, ...item }));
}

const splitIds = (text: string): NewId[] =>
	text
		.split(/[\s,;]+/)
		.filter(Boolean)
		.map((id) => ({ id }));

/** Whether a request has no body, or an empty one. */
export const isEmptyBody = (body: unknown): boolean =>
	body === undefined ||
	body === null ||
	(typeof body === 'string' && body.trim() === '') ||
	(isRecord(body) && Object.keys(body).length === 0);

/** Whether a request has an empty list of IDs. Callers send one to check whether the trigger runs and would accept an ID. */
export const isAvailabilityCheck = (body: unknown): boolean =>
	isRecord(body) &&
	Object.keys(body).length === 1 &&
	Array.isArray(body.ids) &&
	body.ids.length === 0;

/** Reads the IDs of a request: one, or many. Throws BadInput that describes the accepted bodies. */
export function postedIds(body: unknown, readSubject: SubjectReader): NewId[] {
	const list = listIn(body);
	if (list === undefined) {
		throw new BadInput('This is not an ID, nor a list of IDs', expectedFormat(readSubject));
	}
	if (list.length === 0)
		throw new BadInput('The list of IDs is empty', expectedFormat(readSubject));
	return list.map((item) => readNewId(item, readSubject));
}

/** Parses a string that contains JSON, which results from serializing a body twice. */
const parseNestedJson = (text: string): unknown =>
	jsonParse<unknown>(text, { fallbackValue: null });

function listIn(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	if (typeof body === 'string')
		return /^\s*[{["]/.test(body) ? listIn(parseNestedJson(body)) : splitIds(body);
	if (!isRecord(body)) return undefined;
	if (!('ids' in body)) return 'id' in body ? [body] : undefined;
	if (Object.keys(body).length > 1) return undefined;
	if (typeof body.ids === 'string') return splitIds(body.ids);
	return Array.isArray(body.ids) ? body.ids : undefined;
}

function readNewId(value: unknown, readSubject: SubjectReader): NewId {
	if (typeof value === 'string') return { id: value };
	if (Number.isSafeInteger(value)) return { id: String(value) };
	if (!isRecord(value)) throw new BadInput('An ID must be a text', expectedFormat(readSubject));
	const { id, data, subject: rawSubject, ...others } = value;
	const hasValidId = typeof id === 'string' || Number.isSafeInteger(id);
	if (!hasValidId)
		throw new BadInput(
			'An entry needs an ID that is a text or a whole number',
			expectedFormat(readSubject),
		);
	const [property] = Object.keys(others).concat(
		rawSubject !== undefined && !readSubject ? 'subject' : [],
	);
	if (property !== undefined) {
		throw new BadInput(`Unknown property "${property.slice(0, 40)}"`, expectedFormat(readSubject));
	}
	const item: NewId = { id: String(id) };
	if (data !== undefined && data !== null) item.data = data;
	const expectedSubject = subjectIn(value, readSubject);
	if (expectedSubject !== undefined) item.subject = expectedSubject;
	return item;
}

/**
 * Returns the expected person, or undefined if no subject is given. Rejects a subject that is given but blank, since it
 * would accept an answer from anyone.
 */
function subjectIn(entry: Record<string, unknown>, readSubject: SubjectReader): string | undefined {
	if (!readSubject || !('subject' in entry)) return undefined;
	if (!isBlank(entry.subject)) return readSubject(entry.subject);
	throw new BadInput(
		'The expected subject is blank',
		'Give the person who must answer, or leave "subject" out to accept an answer from anyone. If it comes from an expression, check what that returns.',
	);
}
