// Protects complete lists: what a service says about further pages is read, and no link leads the key to another server.
import { furtherPages, linkBelow } from '../../../nodes/engine/http/furtherPages';

const next = '/things?page=2';

describe('furtherPages', () => {
	it.each<[Record<string, unknown>, ReturnType<typeof furtherPages>]>([
		[{ link: `<${next}>; rel="next"` }, { link: next }],
		[{ link: `<${next}>; rel=next` }, { link: next }],
		[{ link: `</first>; rel="first", <${next}>; title="a, b"; rel="last next"` }, { link: next }],
		[{ link: '</things?page=1>; rel="prev"' }, {}],
		[{ link: '</things>; rel="nextdoor"' }, {}],
		[{ link: 'no link' }, {}],
		[{ 'x-total-count': '12' }, { total: 12 }],
		[{ 'x-total-count': 'many' }, {}],
	])('reads the headers %j as %j', (headers, expected) => {
		expect(furtherPages({ body: [], headers: headers as Record<string, string> })).toEqual(
			expected,
		);
	});

	it.each([
		[[], {}],
		[{ next }, { link: next }],
		[{ links: { next } }, { link: next }],
		[{ _links: { self: { href: '/' } }, data: [] }, {}],
		[{ pagination: { next_url: next } }, { link: next }],
		[{ '@odata.nextLink': 'https://api.example.com/x' }, { link: 'https://api.example.com/x' }],
		[{ next: null }, {}],
		[{ next: 2 }, {}],
		[{ next_cursor: 'abc' }, { cursor: { cursor: 'abc' } }],
		[{ meta: { nextCursor: 7 } }, { cursor: { cursor: '7' } }],
		[{ nextPageToken: 'abc' }, { cursor: { pageToken: 'abc' } }],
		[{ next_page_token: 'abc' }, { cursor: { page_token: 'abc' } }],
		[{ next_cursor: null }, {}],
		[{ next_cursor: '' }, {}],
		[{ next, next_cursor: 'abc' }, { link: next }],
		[{ has_more: true }, { hasMore: true }],
		[{ pagination: { hasNextPage: false } }, { hasMore: false }],
		[{ has_more: 'perhaps' }, {}],
		[{ page: 1, total_pages: 3 }, { hasMore: true }],
		[{ page: 3, total_pages: 3 }, {}],
		[{ meta: { total_count: '40' } }, { total: 40 }],
	])('reads %j as %j', (body, expected) => {
		expect(furtherPages({ body })).toEqual(expected);
	});
});

describe('linkBelow', () => {
	const base = 'https://api.example.com/v2';
	const page = `${base}/things?size=10`;

	it.each([
		['?page=2', '/things?page=2'],
		['/v2/things?page=2', '/things?page=2'],
		['https://api.example.com/v2/things?page=2', '/things?page=2'],
		['https://api.example.com:443/v2/things', '/things'],
		['//api.example.com/v2/things', '/things'],
		['https://user:password@api.example.com/v2/things', '/things'],
		['others/{x}', '/others/%7Bx%7D'],
	])('follows %s', (link, expected) => {
		expect(linkBelow(link, page, base)).toBe(expected);
	});

	it.each([
		'http://api.example.com/v2/things',
		'https://api.example.com:8443/v2/things',
		'https://example.com/v2/things',
		'https://api.example.com.evil.example/v2/things',
		'//evil.example/v2/things',
		'/v1/things',
		'/v22/things',
		'/v2/../admin',
		'/v2/%2e%2e/admin',
		'../../admin',
		'javascript:alert(1)',
		'https://',
	])('does not follow %s', (link) => {
		expect(linkBelow(link, page, base)).toBeUndefined();
	});
});
