import { jsonParse } from 'n8n-workflow';
import type { ITriggerFunctions } from 'n8n-workflow';

import { isRecord } from '../../../values/isRecord';
import { BadInput } from '../../../errors';
import { isBlank } from '../../../values/texts';
import type { NewId } from '../core';
import type { Watchable } from '../watchable';

type Subject = Watchable['subject'];

/** What can be posted, for whoever posted something else. */
const expectedFormat = (subject: Subject) =>
	`Post {"id": "…"} or {"ids": ["…", {"id": "…", "data": {…}${subject ? ', "subject": "…"' : ''}}]} as JSON.`;

/** Reads the ids that are entered in the node's own field. */
export function idsInNode(
	context: Pick<ITriggerFunctions, 'getNodeParameter'>,
	subject: Subject,
): NewId[] {
	const raw: unknown = context.getNodeParameter('ids', '', { rawExpressions: true });
	const { rows = [] } = isRecord(raw) ? raw : {};
	return typedIds(context.getNodeParameter('ids', ''), subject, [rows].flat());
}

/**
 * Reads typed ids: a text with commas, blanks or line breaks, a list, or rows of ids and a subject. The raw rows tell a subject that
 * was left empty from an expression that returns nothing.
 */
function typedIds(given: unknown, subject: Subject, rawRows: unknown[] = []): NewId[] {
	if (given === undefined || given === null || given === '') return [];
	if (Array.isArray(given)) return given.flatMap((entry) => typedIds(entry, subject));
	if (typeof given === 'string') return splitIds(given);
	if (!isRecord(given)) return [readNewId(given, subject)];
	if ('rows' in given) {
		const rows = [given.rows ?? []].flat();
		return rows.flatMap((row, index) => rowIds(row, subject, rawRows[index]));
	}
	return Object.keys(given).length === 0 ? [] : [readNewId(given, subject)];
}

function rowIds(row: unknown, subject: Subject, raw: unknown): NewId[] {
	if (!isRecord(row)) return typedIds(row, subject);
	const isLeftEmpty = isRecord(raw) && (raw.subject ?? '') === '';
	const expectedSubject = isLeftEmpty ? undefined : subjectIn(row, subject);
	const ids = typedIds(row.ids, subject);
	return expectedSubject === undefined
		? ids
		: ids.map((item) => ({ subject: expectedSubject, ...item }));
}

const splitIds = (text: string): NewId[] =>
	text
		.split(/[\s,;]+/)
		.filter(Boolean)
		.map((id) => ({ id }));

/** Whether a request brought nothing at all. */
export const isEmptyBody = (body: unknown): boolean =>
	body === undefined ||
	body === null ||
	(typeof body === 'string' && body.trim() === '') ||
	(isRecord(body) && Object.keys(body).length === 0);

/** Whether a request brings an empty list: it asks whether the trigger runs, and whether it would take an id. */
export const isProbe = (body: unknown): boolean =>
	isRecord(body) &&
	Object.keys(body).length === 1 &&
	Array.isArray(body.ids) &&
	body.ids.length === 0;

/** Reads the ids of a request: one, or many. Throws BadInput that says what is expected. */
export function postedIds(body: unknown, subject: Subject): NewId[] {
	const list = listIn(body);
	if (list === undefined) {
		throw new BadInput('This is not an ID, nor a list of IDs', expectedFormat(subject));
	}
	if (list.length === 0) throw new BadInput('There is no ID in it', expectedFormat(subject));
	return list.map((item) => readNewId(item, subject));
}

/** JSON in a text, which is what comes of writing it as JSON twice. */
const parsed = (text: string): unknown => jsonParse<unknown>(text, { fallbackValue: null });

function listIn(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	if (typeof body === 'string')
		return /^\s*[{["]/.test(body) ? listIn(parsed(body)) : splitIds(body);
	if (!isRecord(body)) return undefined;
	if (!('ids' in body)) return 'id' in body ? [body] : undefined;
	if (Object.keys(body).length > 1) return undefined;
	if (typeof body.ids === 'string') return splitIds(body.ids);
	return Array.isArray(body.ids) ? body.ids : undefined;
}

function readNewId(given: unknown, subject: Subject): NewId {
	if (typeof given === 'string') return { id: given };
	if (Number.isSafeInteger(given)) return { id: String(given) };
	if (!isRecord(given)) throw new BadInput('An ID must be a text', expectedFormat(subject));
	const { id, data, subject: who, ...others } = given;
	const known = typeof id === 'string' || Number.isSafeInteger(id);
	if (!known) throw new BadInput('An entry has no ID that is a text', expectedFormat(subject));
	const [other] = Object.keys(others).concat(who !== undefined && !subject ? 'subject' : []);
	if (other !== undefined) {
		throw new BadInput(`Unknown property "${other.slice(0, 40)}"`, expectedFormat(subject));
	}
	const item: NewId = { id: String(id) };
	if (data !== undefined && data !== null) item.data = data;
	const expectedSubject = subjectIn(given, subject);
	if (expectedSubject !== undefined) item.subject = expectedSubject;
	return item;
}

/** Who is expected to answer; nothing where no subject is given. One that is given and blank is rejected: it would accept anyone. */
function subjectIn(given: Record<string, unknown>, subject: Subject): string | undefined {
	if (!subject || !('subject' in given)) return undefined;
	if (!isBlank(given.subject)) return subject(given.subject);
	throw new BadInput(
		'The expected subject is blank',
		'Give the person who must answer, or leave "subject" out to accept an answer from anyone. If it comes from an expression, check what that returns.',
	);
}
