import { readBody } from '../../../nodes/engine/http/body';

const nested = (open: string, close: string, levels: number) =>
	`${open.repeat(levels)}1${close.repeat(levels)}`;

describe('readBody', () => {
	it.each([
		['lists', '[', ']'],
		['objects', '{"a":', '}'],
		['both', '[{"a":', '}]'],
	])('accepts JSON up to a depth of 200 %s and no deeper', (_, open, close) => {
		const step = open.length > 2 && close.length > 1 ? 2 : 1;
		expect(readBody(nested(open, close, 200 / step)).kind).toBe('json');
		expect(readBody(nested(open, close, 200 / step + 1)).kind).toBe('text');
		expect(readBody(nested(open, close, 100_000)).kind).toBe('text');
	});

	it.each([
		['', 'empty'],
		[' \n', 'empty'],
		[undefined, 'empty'],
		['null', 'json'],
		['{"a":1}', 'json'],
		['{"a":1', 'text'],
		['eyJ.eyJ.x', 'text'],
	])('reads %j as %s', (raw, kind) => {
		expect(readBody(raw).kind).toBe(kind);
	});
});
