// Protects triggers from IDs that they cannot poll or store: an invalid ID is rejected with the reason.
import { validateNewId } from '../../../nodes/engine/watch';

/** Creates a text that has this size as JSON, with its quotation marks. */
const createText = (bytes: number) => 'x'.repeat(bytes - 2);

describe('an ID to watch', () => {
	// A bigint would not do: n8n-workflow makes `JSON.stringify` accept it.
	const circularData: Record<string, unknown> = {};
	circularData.itself = circularData;

	test.each<[string, object]>([
		['plain', { id: 'a' }],
		['with blanks around it', { id: ' a\n' }],
		['of 128 characters', { id: ` ${'a'.repeat(128)} ` }],
		['of three dots', { id: '...' }],
		['with an emoji', { id: 'a😀' }],
		['with a subject of 256 characters', { id: 'a', subject: 's'.repeat(256) }],
		['with an empty subject', { id: 'a', subject: '' }],
		['with a kilobyte of data', { id: 'a', data: createText(1024) }],
		['with nothing as data', { id: 'a', data: null }],
	])('is accepted if it is valid: %s', (_, newId) => {
		expect(validateNewId(newId as { id: unknown })).toBeUndefined();
	});

	test.each<[string, object, string, RegExp]>([
		['missing', {}, 'badId', /^An ID must be text that can be part of an address/],
		['a number', { id: 7 }, 'badId', /^An ID must be text/],
		['empty', { id: '' }, 'badId', /^An ID must be text/],
		['blank', { id: ' ' }, 'badId', /^An ID must be text/],
		['a dot', { id: '.' }, 'badId', /^An ID must be text/],
		['two dots', { id: ' .. ' }, 'badId', /^An ID must be text/],
		['of two lines', { id: 'a\nb' }, 'badId', /^An ID must be text/],
		['with a control character', { id: 'a\u0000b' }, 'badId', /^An ID must be text/],
		['with half a character', { id: 'a\ud800' }, 'badId', /^An ID must be text/],
		['too long', { id: 'a'.repeat(129) }, 'badId', /^An ID has 129 characters; at most 128/],
		[
			'with a number for a subject',
			{ id: 'a', subject: 7 },
			'badId',
			/subject must be text of up to 256/,
		],
		[
			'with too long a subject',
			{ id: 'a', subject: 's'.repeat(257) },
			'badId',
			/^A subject must be/,
		],
		[
			'with too much data',
			{ id: 'a', data: createText(1025) },
			'tooMuchData',
			/must be JSON of up to 1 kB/,
		],
		[
			'with data of many bytes',
			{ id: 'a', data: 'ü'.repeat(512) },
			'tooMuchData',
			/^The data of an ID/,
		],
		['with a function for data', { id: 'a', data: () => 7 }, 'tooMuchData', /^The data of an ID/],
		['with endless data', { id: 'a', data: circularData }, 'tooMuchData', /^The data of an ID/],
	])('is rejected if it is invalid: %s', (_, newId, reason, message) => {
		expect(validateNewId(newId as { id: unknown })).toEqual({
			ok: false,
			reason,
			message: expect.stringMatching(message) as string,
		});
	});
});
