// Protects rate-limited users from a false "key rejected": a 403 that is a rate limit is retried after the requested time.
import { withRateLimit } from '../../../nodes/engine/http/rateLimit';
import { redirectFailure } from '../../../nodes/engine/http/redirect';
import { service } from '../toyOperations';

const now = Date.UTC(2026, 10, 20);
const read = (status: number, headers: Record<string, string>) => {
	const limited = withRateLimit({ status, headers, kind: 'empty' }, now);
	return [limited.status, limited.headers['retry-after']];
};

it.each<[number, Record<string, string>, [number, string | undefined]]>([
	[429, {}, [429, undefined]],
	[429, { 'retry-after': '7' }, [429, '7']],
	[429, { 'ratelimit-reset': '7' }, [429, '7']],
	[429, { 'x-ratelimit-reset': `${now / 1000 + 9}` }, [429, '9']],
	[429, { 'x-ratelimit-reset': `${now / 1000 - 9}` }, [429, '0']],
	[429, { 'x-ratelimit-reset': 'soon' }, [429, undefined]],
	[403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '5' }, [429, '5']],
	[403, { 'ratelimit-remaining': ' 0 ' }, [429, undefined]],
	[403, { 'retry-after': '3' }, [403, '3']],
	[403, {}, [403, undefined]],
	[403, { 'x-ratelimit-remaining': '12' }, [403, undefined]],
	[401, { 'x-ratelimit-remaining': '0' }, [401, undefined]],
	[503, { 'retry-after': '3' }, [503, '3']],
	[200, { 'x-ratelimit-remaining': '0' }, [200, undefined]],
])('the status %i with %j is read as %j', (status, headers, expected) => {
	expect(read(status, headers)).toEqual(expected);
});

describe('a redirect', () => {
	const redirect = (status: number, isWrite: boolean) =>
		redirectFailure(
			{ status, headers: { location: 'https://new.example/things' }, kind: 'empty' },
			service,
			'https://old.example/things',
			'/things',
			isWrite,
		);

	it.each([301, 302, 303])(
		'of a write with %i leaves open whether it was carried out',
		(status) => {
			const { uncertain, advice } = redirect(status, true);
			expect(uncertain).toBe(true);
			expect(advice).toContain('a request that they carried out');
			expect(redirect(status, false).uncertain).toBe(false);
		},
	);

	it.each([307, 308])('with %i carries nothing out', (status) => {
		const { uncertain, advice } = redirect(status, true);
		expect([uncertain, advice]).toEqual([
			false,
			"If you trust it, enter https://new.example as 'Base URL' in the credential. The request was not sent there.",
		]);
	});
});
