import { BadInput, ServiceFailure } from '../../engine/errors';
import { readPages } from '../../engine/http/pages';
import type { PathSegment } from '../../engine/http/path';
import { idOf } from '../../engine/http/records';
import type { StrictRecords } from '../../engine/http/records';
import { strictReading } from '../../engine/http/strictReading';
import type { Request } from '../../engine/http/types';
import type { ItemCall } from '../../engine/operation';
import { textOf } from '../form/readForm';
import type { ServiceList } from '../lists';

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
	kind: ServiceList,
	query: EmailQuery,
): Promise<string | number | undefined> {
	const { paging } = kind;
	const normalizedEmail = normalizeEmail(query.email);
	const search: Request = {
		method: 'POST',
		path: `${kind.path}/search`,
		params: query.params,
		json: { Email: query.email },
		idempotent: true,
	};
	const reading = strictReading(search, {
		paging,
		incomplete: () => unclearSearchResult(call, kind),
		isTheList: (response) => isSearchResult(response, normalizedEmail),
		ignoresTotal: true,
		trustsShortPages: true,
	});
	for await (const page of readPages(call.client, ...reading)) {
		// The service may also match addresses that contain this one, so the exact match may be on a later page.
		const matchingRecords = page.filter(({ Email }) => normalizeEmail(Email) === normalizedEmail);
		const ids = new Map(
			matchingRecords.map((record) => [`${idOf(record, paging)}`, idOf(record, paging)]),
		);
		if (ids.size > 1) throw ambiguousEmail([...ids.keys()], kind);
		if (ids.size === 1) return [...ids.values()][0];
	}
	return undefined;
}

/** Whether records are a search result: a list of records with addresses, or the record with the address. */
function isSearchResult({ records, isList }: StrictRecords, normalizedEmail: string): boolean {
	if (!isList) return normalizeEmail(records[0]?.Email) === normalizedEmail;
	return records.length === 0 || records.some((record) => 'Email' in record);
}

const unclearSearchResult = ({ service }: ItemCall, { nouns: [singular, plural] }: ServiceList) =>
	new ServiceFailure(
		`The ${service.name} did not say whether this ${singular} already exists, so nothing was added or changed`,
		{
			advice: `Its answer to the search by email isn't a complete list of ${plural}. Try again later; if this keeps happening, check the base URL in the credential, and try Search with this address.`,
		},
	);

const ambiguousEmail = (ids: string[], { nouns: [, plural] }: ServiceList) =>
	new BadInput(
		`${ids.length} ${plural} have this email address`,
		`Nothing was changed. Use Update with the ID of the right one: ${ids.slice(0, 10).join(', ')}.`,
	);
