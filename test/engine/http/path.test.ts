// Protects services from path values that reach another URL: a value stays in its segment, or is rejected and not sent.
import fc from 'fast-check';

import { BadInput } from '../../../nodes/engine/errors';
import { fillPath, blankValueError, toPathSegment } from '../../../nodes/engine/http/path';
import { errorFrom } from '../../support/errorFrom';

const TEMPLATE = '/events/{eventId}/guests/{guest}';
const toSegment = (value: unknown) => toPathSegment('ID', value);
const guest = toSegment('x');

describe('fillPath', () => {
	it('replaces each placeholder with its own value', () => {
		const segments = { eventId: toSegment(7), guest: toSegment('ada') };
		expect(fillPath(TEMPLATE, segments)).toBe('/events/7/guests/ada');
		expect(fillPath('/events', segments)).toBe('/events');
	});

	it.each<[unknown, string]>([
		[' a b ', 'a%20b'],
		['a/b', 'a%2Fb'],
		['../x', '..%2Fx'],
		['?#%', '%3F%23%25'],
		['...', '...'],
		['.a', '.a'],
		['{guest}', '%7Bguest%7D'],
		['$&', '%24%26'],
		['ü😀', '%C3%BC%F0%9F%98%80'],
		[0, '0'],
		[12345678901234567890n, '12345678901234567890'],
	])('encodes %p as %s', (value, encoded) => {
		const eventId = toSegment(value);
		expect(fillPath(TEMPLATE, { eventId, guest })).toBe(`/events/${encoded}/guests/x`);
	});

	it('keeps any value inside its segment, or rejects it', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (value) => {
				let path: string;
				try {
					path = fillPath(TEMPLATE, { eventId: toSegment(value), guest });
				} catch (error) {
					expect(error).toBeInstanceOf(BadInput);
					return;
				}
				expect(new URL(`http://localhost${path}`).pathname).toBe(path);
				expect(path.split('/')).toHaveLength(5);
				expect(decodeURIComponent(path.split('/')[2]!)).toBe(value.trim());
			}),
		);
	});
});

describe('an invalid path value', () => {
	it.each([undefined, null, '', '  '])('a blank value is reported as missing: %j', (value) => {
		const { message, advice } = errorFrom(() => toPathSegment('Event', value));
		expect(message).toBe("'Event' is missing");
		expect(advice).toMatch(/^Fill in 'Event'\. .*expression/);
	});

	it.each(['.', '..', ' .. ', '\ud800', 'a\udc00b'])(
		'a dot segment or a broken Unicode character is reported as not valid: %j',
		(value) => {
			const { message, advice } = errorFrom(() => toPathSegment('Event', value));
			expect(message).toBe("'Event' is not valid");
			expect(advice).toContain('Nothing was sent');
		},
	);

	it.each([[true], [['a']], [{ id: 1 }], [new Date(0)]])(
		'a value that is neither text nor number is reported: %j',
		(value) => {
			const { message, advice } = errorFrom(() => toPathSegment('Event', value));
			expect(message).toBe("'Event' must be text or a number");
			expect(advice).toContain('Check the value');
		},
	);

	it('a number that has lost digits is reported', () => {
		expect(errorFrom(() => toPathSegment('Event', 1e20)).message).toBe(
			"'Event' is too long for a number",
		);
	});

	it('a placeholder without a value is an internal error', () => {
		expect(() => fillPath(TEMPLATE, { guest })).toThrow('No value for {eventId}');
	});
});

it('blankValueError reports an option that is set but blank, with advice', () => {
	const { message, advice } = blankValueError('Requester');
	expect(message).toBe("'Requester' was set but is blank");
	expect(advice).toContain("If you don't need 'Requester', remove the option");
});

it('toPathSegment trims white space and does not encode', () => {
	expect(toSegment(' a/b ')).toBe('a/b');
	expect(toSegment(7)).toBe('7');
});
