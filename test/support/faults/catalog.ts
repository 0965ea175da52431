import { gzipSync } from 'node:zlib';

import type { Fault, InterceptedExchange } from './fault';
import { dribble, head, json, page, pour, raw, textOf } from './wire';

/** User and password in the address that redirects point to: no message may ever contain them. */
export const USERINFO = 'stray-user:stray-password';

const MB = 1024 * 1024;
const DRIBBLE_MS = 100;
/** A service that echoes the request, credential included, in its error: a test of how secrets are kept. */
const echo = ({ exchange: { method, path, headers } }: InterceptedExchange) =>
	`It failed: ${method} ${path} ${JSON.stringify(headers)}`;
const complaint = (exchange: InterceptedExchange) => {
	const words = echo(exchange);
	return { message: words, Message: words, detail: words, success: false };
};

/** Lets the service carry the request out, then sends the given text in place of its response. */
const instead =
	(text: string) =>
	async (exchange: InterceptedExchange): Promise<void> => {
		await exchange.sendUpstream();
		json(exchange, 200, text);
	};

let bomb: Buffer | undefined;

/** All faults, in the order of the table of counts. The harder cases are those after the service carried the request out. */
export const faults: Fault[] = [
	{
		name: 'cutBefore',
		description: 'cut before the request arrived',
		kind: 'lost',
		inject: ({ socket }) => void socket.destroy(),
	},
	{
		name: 'cutAfter',
		description: 'cut after it was carried out',
		kind: 'lost',
		inject: async ({ sendUpstream, socket }) => {
			await sendUpstream();
			socket.end();
		},
	},
	{
		name: 'cutInHead',
		description: 'cut in the head of the answer',
		kind: 'lost',
		inject: async ({ sendUpstream, socket }) => {
			await sendUpstream();
			socket.end('HTTP/1.1 200 OK\r\ncontent-type: applica');
		},
	},
	{
		name: 'cutInBody',
		description: 'cut in the body of the answer',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const real = await sendUpstream();
			const text = textOf(real);
			socket.end(raw(head(real, { 'content-length': text.length }), half(text)));
		},
	},
	{
		name: 'reset',
		description: 'connection reset',
		kind: 'lost',
		inject: async ({ sendUpstream, socket }) => {
			await sendUpstream();
			socket.resetAndDestroy();
		},
	},
	{
		name: 'silent',
		description: 'no answer at all',
		kind: 'lost',
		isSlow: true,
		inject: async ({ sendUpstream }) => void (await sendUpstream()),
	},
	{
		name: 'dribblingHead',
		description: 'head that dribbles without end',
		kind: 'lost',
		isSlow: true,
		inject: async ({ sendUpstream, socket }) => {
			await sendUpstream();
			socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
			dribble(socket, 'x', DRIBBLE_MS);
		},
	},
	{
		name: 'dribblingBody',
		description: 'body that dribbles without end',
		kind: 'lost',
		isSlow: true,
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const real = await sendUpstream();
			socket.write(raw(head(real, { 'transfer-encoding': 'chunked' })));
			dribble(socket, '1\r\n \r\n', DRIBBLE_MS);
		},
	},
	{
		name: 'truncated',
		description: 'answer that ends too early',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const real = await sendUpstream();
			const text = half(textOf(real));
			socket.end(raw(head(real, { 'content-length': text.length, connection: 'close' }), text));
		},
	},
	{
		name: 'tooLongLength',
		description: 'length that is too long',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const real = await sendUpstream();
			const text = textOf(real);
			socket.end(raw(head(real, { 'content-length': text.length + 1000 }), text));
		},
	},
	{
		name: 'tooShortLength',
		description: 'length that is too short',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const real = await sendUpstream();
			const text = textOf(real);
			socket.end(raw(head(real, { 'content-length': half(text).length }), text));
		},
	},
	{
		name: 'garbageGzip',
		description: 'garbage that calls itself gzip',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const rubbish = Buffer.from('this was never compressed, whatever the head says');
			const real = await sendUpstream();
			const length = { 'content-length': rubbish.length, 'content-encoding': 'gzip' };
			socket.end(raw(head(real, { ...length, connection: 'close' }), rubbish));
		},
	},
	{
		name: 'page200',
		description: 'web page with status 200',
		kind: 'foreign',
		inject: (exchange) => page(exchange, 200, echo(exchange)),
	},
	{
		name: 'page502',
		description: 'web page with status 502',
		kind: 'failing',
		inject: async (exchange) => {
			await exchange.sendUpstream();
			page(exchange, 502, echo(exchange));
		},
	},
	{
		name: 'rateLimitedFor1s',
		description: '429 with a short pause',
		kind: 'rateLimited',
		inject: (exchange) => json(exchange, 429, complaint(exchange), { 'retry-after': '1' }),
	},
	{
		name: 'rateLimitedForLong',
		description: '429 with a long pause',
		kind: 'closed',
		inject: (exchange) => json(exchange, 429, complaint(exchange), { 'retry-after': '7200' }),
	},
	{
		name: 'busy',
		description: '429 without a pause',
		kind: 'rateLimited',
		inject: (exchange) => json(exchange, 429, complaint(exchange)),
	},
	{
		name: 'status500',
		description: '500 after it was carried out',
		kind: 'failing',
		inject: async (exchange) => {
			await exchange.sendUpstream();
			json(exchange, 500, complaint(exchange));
		},
	},
	{
		name: 'status503',
		description: '503',
		kind: 'failing',
		inject: (exchange) => json(exchange, 503, complaint(exchange)),
	},
	{
		name: 'empty',
		description: '200 without a body',
		kind: 'hollow',
		affectsBodyOnly: true,
		inject: instead(''),
	},
	{
		name: 'null',
		description: '200 with null',
		kind: 'hollow',
		affectsBodyOnly: true,
		inject: instead('null'),
	},
	{
		name: 'number',
		description: '200 with a number',
		kind: 'hollow',
		affectsBodyOnly: true,
		inject: instead('42'),
	},
	{
		name: 'text',
		description: '200 with a text',
		kind: 'hollow',
		affectsBodyOnly: true,
		inject: instead('"well"'),
	},
	{
		name: 'numbers',
		description: '200 with a list of numbers',
		kind: 'hollow',
		affectsBodyOnly: true,
		inject: instead('[1,2,3]'),
	},
	{
		name: 'deep',
		description: 'JSON of 100,000 levels',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: instead(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
	},
	{
		name: 'redirect',
		description: 'redirect to somewhere else',
		kind: 'foreign',
		inject: ({ response, exchange, elsewhere }) => {
			const location = elsewhere.replace('://', `://${USERINFO}@`) + exchange.path;
			response.writeHead(307, { location }).end();
		},
	},
	{
		name: 'huge',
		description: 'body of 100 MB',
		kind: 'huge',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const real = await sendUpstream();
			socket.write(raw(head(real, { 'content-length': 100 * MB })));
			await pour(socket, 100 * MB);
		},
	},
	{
		name: 'bomb',
		description: '100 MB in a small gzip',
		kind: 'huge',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			bomb ??= gzipSync(Buffer.alloc(100 * MB, ' '));
			const real = await sendUpstream();
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
