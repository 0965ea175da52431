import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/isRecord';
import { normalizeMemberName } from './statements';
import type { ServiceResponse } from './types';

/** What a page of a list says about further pages. Members that the page leaves open are undefined. */
export interface FurtherPages {
	/** Address of the next page, as the service wrote it. */
	link?: string;
	/** Query parameter that selects the next page. */
	cursor?: Record<string, string>;
	/** Whether there are more records. */
	hasMore?: boolean;
	/** Number of records in the whole list. */
	total?: number;
}

// Names of members, without case, `_` and `-`.
const NEXT_LINK = /^(next|nextlink|nexturl|nexthref|nextpageurl|nextpagelink|@?odata\.?nextlink)$/;
const NEXT_CURSOR = /^next(cursor|token|pagetoken|pagecursor)$/;
const HAS_MORE = /^(hasmore|hasnext|hasnextpage|moreavailable|moreresults)$/;
const PAGE_NUMBER = /^(page|pagenumber|currentpage)$/;
const PAGE_COUNT = /^(totalpages|pagecount|lastpage)$/;

/** Name of the member with the total number of records. */
const TOTAL_NAME = /^total[_-]?(count|records|items|results)?$/i;

/** Reads what a response says about further pages, in its headers, at the top of its body or one level below. */
export function furtherPages({
	body,
	headers = {},
}: Pick<ServiceResponse, 'body'> & Partial<Pick<ServiceResponse, 'headers'>>): FurtherPages {
	const levels = levelsOf(body);
	const members = levels.flatMap((level) => Object.entries(level));
	const find = (names: RegExp) => members.find(([name]) => names.test(normalizeMemberName(name)));
	const [cursorName = '', cursor] = find(NEXT_CURSOR) ?? [];
	const link = linkInHeader(headers.link) ?? levels.map(linkIn).find(Boolean);
	const hasCursor = link === undefined && isFilled(cursor);
	const [page, count] = [find(PAGE_NUMBER)?.[1], find(PAGE_COUNT)?.[1]];
	const hasMore = find(HAS_MORE)?.[1];
	const countedTotal = Number(headers['x-total-count'] ?? Number.NaN);
	return {
		...(link !== undefined && { link }),
		...(hasCursor && { cursor: { [parameterOf(cursorName)]: `${cursor}` } }),
		...(typeof hasMore === 'boolean'
			? { hasMore }
			: typeof page === 'number' && typeof count === 'number' && page < count && { hasMore: true }),
		...positiveTotal(
			Math.max(reportedTotal(body), Number.isInteger(countedTotal) ? countedTotal : 0),
		),
	};
}

const positiveTotal = (total: number) => (total > 0 ? { total } : {});

/** Returns the total that a body reports, at its top or one level below; 0 if it reports none. */
export function reportedTotal(body: unknown): number {
	const counts = levelsOf(body).flatMap((level) =>
		Object.entries(level)
			.filter(([key, value]) => TOTAL_NAME.test(key) && /^\d+$/.test(`${value}`))
			.map(([, value]) => Number(value)),
	);
	return Math.max(0, ...counts);
}

/** Returns a body and the records in it: a wrapper with its pagination and links. */
const levelsOf = (body: unknown): IDataObject[] =>
	isRecord(body) ? [body, ...Object.values(body).filter(isRecord)] : [];

/** Returns the address of the next page in the Link header (RFC 8288). */
const linkInHeader = (header = ''): string | undefined =>
	[...header.matchAll(/<([^<>]*)>([^<]*)/g)].find(([, , parameters = '']) =>
		/;\s*rel="?([^";]*\s)?next(\s[^";]*)?"?\s*(;|,|$)/i.test(parameters),
	)?.[1];

function linkIn(level: IDataObject): string | undefined {
	for (const [name, value] of Object.entries(level)) {
		if (!NEXT_LINK.test(normalizeMemberName(name))) continue;
		const target = isRecord(value) ? value.href : value;
		// "next" may also be a number or a cursor.
		if (typeof target === 'string' && /^(https?:\/\/|[/?])/i.test(target)) return target;
	}
	return undefined;
}

const isFilled = (value: unknown): value is string | number =>
	typeof value === 'number' || (typeof value === 'string' && value !== '');

/** Returns the query parameter for a cursor: the name of its member without "next". */
const parameterOf = (member: string): string =>
	member.replace(/^next[_-]?(.)/i, (_, first: string) => first.toLowerCase());

/**
 * Returns a link as path and query below a base URL; undefined if it leads anywhere else, where the key must not go. A relative
 * link starts at the address of the page that has it.
 */
export function linkBelow(link: string, pageUrl: string, baseUrl: string): string | undefined {
	if (!URL.canParse(link, pageUrl)) return undefined;
	const { origin, pathname, search } = new URL(link, pageUrl);
	const base = new URL(baseUrl);
	const basePath = base.pathname.replace(/\/+$/, '');
	if (origin !== base.origin || !pathname.startsWith(`${basePath}/`)) return undefined;
	return pathname.slice(basePath.length) + search;
}
