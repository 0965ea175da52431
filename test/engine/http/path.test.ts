import fc from 'fast-check';

import { BadInput } from '../../../nodes/engine/errors';
import { fillPath, pathText } from '../../../nodes/engine/http/path';

const TEMPLATE = '/events/{eventId}/guests/{guest}';

/** What is said against a value. */
function complaint(value: unknown): { message: string; advice?: string } {
	try {
		fillPath('/events/{eventId}', { eventId: value }, { eventId: 'Event' });
	} catch (error) {
		expect(error).toBeInstanceOf(BadInput);
		const { message, advice } = error as BadInput;
		return { message, advice };
	}
	throw new Error('Nothing was said');
}

describe('the braces of a path', () => {
	it('are filled with what stands in them, each with its own', () => {
		expect(fillPath(TEMPLATE, { eventId: 7, guest: 'ada' })).toBe('/events/7/guests/ada');
		expect(fillPath('/events', { eventId: 7 })).toBe('/events');
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
	])('take %p as %s', (value, segment) => {
		expect(fillPath(TEMPLATE, { eventId: value, guest: 'x' })).toBe(`/events/${segment}/guests/x`);
	});

	it('never let a value out of its segment', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (value) => {
				let path: string;
				try {
					path = fillPath(TEMPLATE, { eventId: value, guest: 'x' });
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

describe('a value that can be no segment', () => {
	it.each([undefined, null, '', '  '])('is missing: %j', (value) => {
		const { message, advice } = complaint(value);
		expect(message).toBe("'Event' is missing");
		expect(advice).toMatch(/^Fill in 'Event'\. .*expression/);
	});

	it.each(['.', '..', ' .. ', '\ud800', 'a\udc00b'])('is not valid: %j', (value) => {
		const { message, advice } = complaint(value);
		expect(message).toBe("'Event' is not valid");
		expect(advice).toContain('Nothing was sent');
	});

	it.each([[true], [['a']], [{ id: 1 }], [new Date(0)]])('is no text: %j', (value) => {
		const { message, advice } = complaint(value);
		expect(message).toBe("'Event' must be text or a number");
		expect(advice).toContain('Check the value');
	});

	it('is a number that has lost its digits', () => {
		expect(complaint(1e20).message).toBe("'Event' is too long for a number");
	});

	it('is called by its own name where it has no label', () => {
		expect(() => fillPath(TEMPLATE, { eventId: '' })).toThrow("'eventId' is missing");
		expect(() => fillPath(TEMPLATE, { eventId: '' }, { guest: 'Guest' })).toThrow(
			"'eventId' is missing",
		);
	});
});

it('the text of a path comes without blanks around it, and not encoded yet', () => {
	expect(pathText('Event', ' a/b ')).toBe('a/b');
	expect(pathText('Event', 7)).toBe('7');
});
