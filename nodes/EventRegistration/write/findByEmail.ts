import { BadInput, ServiceFailure } from '../../engine/errors';
import { readPages } from '../../engine/http/pages';
import type { PathSegment } from '../../engine/http/path';
import { idOf, strictRecords } from '../../engine/http/records';
import type { ServiceResponse, Request } from '../../engine/http/types';
import type { ItemCall } from '../../engine/operation';
import { textOf } from '../form/readForm';
import { pagingByRecordId } from '../paging';

/** A kind of record that the service can search by email. */
export interface SearchableKind {
	/** Singular and plural, for messages. */
	nouns: readonly [one: string, many: string];
	/** The name of its ID field. */
	idField: string;
	/** The path of the list; `/search` and the single records are below it. */
	path: string;
}

/** A search by email: the path parameters of the list, and the address as the user gave it. */
export interface EmailQuery {
	params: Record<string, PathSegment>;
	email: string;
}

/**
 * Returns an email address in the form in which addresses are compared. Invisible characters, which texts from web pages and
 * documents contain, are not part of an address.
 */
export const normalizeEmail = (email: unknown): string =>
	textOf(email)
		.replaceAll(/\p{Cf}/gu, '')
		.trim()
		.toLowerCase()
		.normalize();

/**
 * Returns the ID of the record with an address, or undefined if the complete result has none. Throws if several records on
 * one page match, because only the user can choose one. Stops at the first page with a match: a second match on a later page
 * is not detected. Also throws if the result is incomplete or unrecognized: the caller would add a record that already exists.
 */
export async function findByEmail(
	call: ItemCall,
	kind: SearchableKind,
	query: EmailQuery,
): Promise<string | number | undefined> {
	const paging = pagingByRecordId(kind.idField);
	const normalizedEmail = normalizeEmail(query.email);
	const result = { isComplete: true };
	const search: Request = {
		method: 'POST',
		path: `${kind.path}/search`,
		params: query.params,
		json: { Email: query.email },
		idempotent: true,
	};
	const pages = readPages(call.client, search, {
		paging,
		inspect: (response) => {
			const records = foundRecords(response, kind, normalizedEmail);
			if (!records) throw unclearSearchResult(call, kind);
			return { ...response, kind: 'json', body: records };
		},
		warn: () => {
			result.isComplete = false;
		},
	});
	for await (const page of pages) {
		// The service may also match addresses that contain this one, so the exact match may be on a later page.
		const matchingRecords = page.filter(({ Email }) => normalizeEmail(Email) === normalizedEmail);
		const ids = new Map(
			matchingRecords.map((record) => [`${idOf(record, paging)}`, idOf(record, paging)]),
		);
		if (ids.size > 1) throw ambiguousEmail([...ids.keys()], kind);
		if (ids.size === 1) return [...ids.values()][0];
	}
	if (!result.isComplete) throw unclearSearchResult(call, kind);
	return undefined;
}

/** Returns the records of a search result; undefined if it is neither a list of records nor the record with the address. */
function foundRecords(
	{ status, body }: ServiceResponse,
	{ idField }: SearchableKind,
	normalizedEmail: string,
) {
	if (status === 204) return [];
	const result = strictRecords(body, pagingByRecordId(idField));
	if (!result) return undefined;
	const { records, isList } = result;
	if (!isList) return normalizeEmail(records[0]?.Email) === normalizedEmail ? records : undefined;
	const hasEmails = records.length === 0 || records.some((record) => 'Email' in record);
	return hasEmails ? records : undefined;
}

const unclearSearchResult = (
	{ service }: ItemCall,
	{ nouns: [singular, plural] }: SearchableKind,
) =>
	new ServiceFailure(
		`The ${service.name} did not say whether this ${singular} already exists, so nothing was added or changed`,
		{
			advice: `Its answer to the search by email isn't a complete list of ${plural}. Try again later; if this keeps happening, check the base URL in the credential, and try Search with this address.`,
		},
	);

const ambiguousEmail = (ids: string[], { nouns: [, plural] }: SearchableKind) =>
	new BadInput(
		`${ids.length} ${plural} have this email address`,
		`Nothing was changed. Use Update with the ID of the right one: ${ids.slice(0, 10).join(', ')}.`,
	);
