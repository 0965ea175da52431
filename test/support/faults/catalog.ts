import { gzipSync } from 'node:zlib';

import type { Fault, Spoilable } from './fault';
import { dribble, head, json, page, pour, raw, textOf } from './wire';

/** User and password in the address that redirects point to: no message may ever contain them. */
export const USERINFO = 'stray-user:stray-password';

const MB = 1024 * 1024;
const DRIBBLE_MS = 100;
/** A service that echoes the request, credential included, in its error: a test of how secrets are kept. */
const echo = ({ passage: { method, path, headers } }: Spoilable) =>
	`It failed: ${method} ${path} ${JSON.stringify(headers)}`;
const complaint = (exchange: Spoilable) => {
	const words = echo(exchange);
	return { message: words, Message: words, detail: words, success: false };
};

/** Lets the service carry the request out, then sends the given text in place of its response. */
const instead =
	(text: string) =>
	async (exchange: Spoilable): Promise<void> => {
		await exchange.pass();
		json(exchange, 200, text);
	};

let bomb: Buffer | undefined;

/** All faults, in the order of the table of counts. The harder cases are those after the service carried the request out. */
export const faults: Fault[] = [
	{
		name: 'cutBefore',
		words: 'cut before the request arrived',
		kind: 'lost',
		spoil: ({ socket }) => void socket.destroy(),
	},
	{
		name: 'cutAfter',
		words: 'cut after it was carried out',
		kind: 'lost',
		spoil: async ({ pass, socket }) => {
			await pass();
			socket.end();
		},
	},
	{
		name: 'cutInHead',
		words: 'cut in the head of the answer',
		kind: 'lost',
		spoil: async ({ pass, socket }) => {
			await pass();
			socket.end('HTTP/1.1 200 OK\r\ncontent-type: applica');
		},
	},
	{
		name: 'cutInBody',
		words: 'cut in the body of the answer',
		kind: 'lost',
		body: true,
		spoil: async ({ pass, socket }) => {
			const real = await pass();
			const text = textOf(real);
			socket.end(raw(head(real, { 'content-length': text.length }), half(text)));
		},
	},
	{
		name: 'reset',
		words: 'connection reset',
		kind: 'lost',
		spoil: async ({ pass, socket }) => {
			await pass();
			socket.resetAndDestroy();
		},
	},
	{
		name: 'silent',
		words: 'no answer at all',
		kind: 'lost',
		slow: true,
		spoil: async ({ pass }) => void (await pass()),
	},
	{
		name: 'dribblingHead',
		words: 'head that dribbles without end',
		kind: 'lost',
		slow: true,
		spoil: async ({ pass, socket }) => {
			await pass();
			socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
			dribble(socket, 'x', DRIBBLE_MS);
		},
	},
	{
		name: 'dribblingBody',
		words: 'body that dribbles without end',
		kind: 'lost',
		slow: true,
		body: true,
		spoil: async ({ pass, socket }) => {
			const real = await pass();
			socket.write(raw(head(real, { 'transfer-encoding': 'chunked' })));
			dribble(socket, '1\r\n \r\n', DRIBBLE_MS);
		},
	},
	{
		name: 'truncated',
		words: 'answer that ends too early',
		kind: 'lost',
		body: true,
		spoil: async ({ pass, socket }) => {
			const real = await pass();
			const text = half(textOf(real));
			socket.end(raw(head(real, { 'content-length': text.length, connection: 'close' }), text));
		},
	},
	{
		name: 'tooLongLength',
		words: 'length that is too long',
		kind: 'lost',
		body: true,
		spoil: async ({ pass, socket }) => {
			const real = await pass();
			const text = textOf(real);
			socket.end(raw(head(real, { 'content-length': text.length + 1000 }), text));
		},
	},
	{
		name: 'tooShortLength',
		words: 'length that is too short',
		kind: 'lost',
		body: true,
		spoil: async ({ pass, socket }) => {
			const real = await pass();
			const text = textOf(real);
			socket.end(raw(head(real, { 'content-length': half(text).length }), text));
		},
	},
	{
		name: 'garbageGzip',
		words: 'garbage that calls itself gzip',
		kind: 'lost',
		body: true,
		spoil: async ({ pass, socket }) => {
			const rubbish = Buffer.from('this was never compressed, whatever the head says');
			const real = await pass();
			const length = { 'content-length': rubbish.length, 'content-encoding': 'gzip' };
			socket.end(raw(head(real, { ...length, connection: 'close' }), rubbish));
		},
	},
	{
		name: 'page200',
		words: 'web page with status 200',
		kind: 'foreign',
		spoil: (exchange) => page(exchange, 200, echo(exchange)),
	},
	{
		name: 'page502',
		words: 'web page with status 502',
		kind: 'failing',
		spoil: async (exchange) => {
			await exchange.pass();
			page(exchange, 502, echo(exchange));
		},
	},
	{
		name: 'busyFor1s',
		words: '429 with a short pause',
		kind: 'refused',
		spoil: (exchange) => json(exchange, 429, complaint(exchange), { 'retry-after': '1' }),
	},
	{
		name: 'busyForLong',
		words: '429 with a long pause',
		kind: 'closed',
		spoil: (exchange) => json(exchange, 429, complaint(exchange), { 'retry-after': '7200' }),
	},
	{
		name: 'busy',
		words: '429 without a pause',
		kind: 'refused',
		spoil: (exchange) => json(exchange, 429, complaint(exchange)),
	},
	{
		name: 'status500',
		words: '500 after it was carried out',
		kind: 'failing',
		spoil: async (exchange) => {
			await exchange.pass();
			json(exchange, 500, complaint(exchange));
		},
	},
	{
		name: 'status503',
		words: '503',
		kind: 'failing',
		spoil: (exchange) => json(exchange, 503, complaint(exchange)),
	},
	{ name: 'empty', words: '200 without a body', kind: 'hollow', body: true, spoil: instead('') },
	{ name: 'null', words: '200 with null', kind: 'hollow', body: true, spoil: instead('null') },
	{ name: 'number', words: '200 with a number', kind: 'hollow', body: true, spoil: instead('42') },
	{ name: 'text', words: '200 with a text', kind: 'hollow', body: true, spoil: instead('"well"') },
	{
		name: 'numbers',
		words: '200 with a list of numbers',
		kind: 'hollow',
		body: true,
		spoil: instead('[1,2,3]'),
	},
	{
		name: 'deep',
		words: 'JSON of 100,000 levels',
		kind: 'lost',
		body: true,
		spoil: instead(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
	},
	{
		name: 'redirect',
		words: 'redirect to somewhere else',
		kind: 'foreign',
		spoil: ({ response, passage, elsewhere }) => {
			const location = elsewhere.replace('://', `://${USERINFO}@`) + passage.path;
			response.writeHead(307, { location }).end();
		},
	},
	{
		name: 'huge',
		words: 'body of 100 MB',
		kind: 'huge',
		body: true,
		spoil: async ({ pass, socket }) => {
			const real = await pass();
			socket.write(raw(head(real, { 'content-length': 100 * MB })));
			await pour(socket, 100 * MB);
		},
	},
	{
		name: 'bomb',
		words: '100 MB in a small gzip',
		kind: 'huge',
		body: true,
		spoil: async ({ pass, socket }) => {
			bomb ??= gzipSync(Buffer.alloc(100 * MB, ' '));
			const real = await pass();
			const length = { 'content-length': bomb.length, 'content-encoding': 'gzip' };
			socket.end(raw(head(real, { ...length, connection: 'close' }), bomb));
		},
	},
];

const half = (text: Buffer) => text.subarray(0, Math.floor(text.length / 2));

export function fault(name: string): Fault {
	const found = faults.find((candidate) => candidate.name === name);
	if (!found) throw new Error(`There is no fault ${name}`);
	return found;
}
