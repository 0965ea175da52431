// Protects names: a response is read in the charset of its bytes, so that no garbled name is shown or written back.
import { Readable } from 'node:stream';

import { exchange } from '../../../nodes/engine/http/exchange';

const TEXT = '{"name":"Zoë Søn"}';
const read = async (bytes: Buffer, contentType?: string) => {
	const headers = contentType === undefined ? {} : { 'content-type': contentType };
	const begin = async () => ({ statusCode: 200, headers, body: Readable.from([bytes]) });
	const { body, bytes: size } = await exchange(begin, { timeoutMs: 5000 });
	expect(size).toBe(bytes.length);
	return body;
};

it.each<[string, BufferEncoding, string | undefined]>([
	['UTF-8 without a header', 'utf8', undefined],
	['UTF-8', 'utf8', 'application/json; charset=UTF-8'],
	['UTF-8 that calls itself ISO 8859-1', 'utf8', 'application/json;charset=ISO-8859-1'],
	['UTF-8 with an unknown name', 'utf8', 'application/json; charset=klingon'],
	['ISO 8859-1', 'latin1', 'application/json; charset=iso-8859-1'],
	['ISO 8859-1 in quotes', 'latin1', 'text/plain; Charset = "ISO-8859-1"; x=1'],
	['UTF-16', 'utf16le', 'application/json; charset=utf-16le'],
])('reads %s', async (_, encoding, contentType) => {
	expect(await read(Buffer.from(TEXT, encoding), contentType)).toBe(TEXT);
});

it('reads what is neither UTF-8 nor a known charset, without an error', async () => {
	const bytes = Buffer.from(TEXT, 'latin1');
	expect(await read(bytes, 'application/json; charset=klingon')).toContain('S\uFFFDn');
	expect(await read(bytes)).toContain('S\uFFFDn');
});
