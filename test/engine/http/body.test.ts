// Protects executions from deeply nested JSON, which counts as text, and the reading of empty, text and JSON bodies.
import { readBody } from '../../../nodes/engine/http/body';

const nest = (open: string, close: string, repeats: number) =>
	`${open.repeat(repeats)}1${close.repeat(repeats)}`;

describe('readBody', () => {
	it.each([
		['lists', '[', ']'],
		['objects', '{"a":', '}'],
		['lists and objects', '[{"a":', '}]'],
	])('accepts JSON up to a depth of 200 %s and no deeper', (_, open, close) => {
		const levelsPerRepeat = close.length;
		expect(readBody(nest(open, close, 200 / levelsPerRepeat)).kind).toBe('json');
		expect(readBody(nest(open, close, 200 / levelsPerRepeat + 1)).kind).toBe('text');
		expect(readBody(nest(open, close, 100_000)).kind).toBe('text');
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
