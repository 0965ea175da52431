import { gzipSync } from 'node:zlib';

import type { Fault, InterceptedExchange } from './fault';
import {
	sendSlowly,
	responseHead,
	sendJson,
	sendHtmlPage,
	sendBlanks,
	joinBytes,
	bodyOrSubstitute,
} from './wire';

/** User and password in the address that redirects point to: no message may ever contain them. */
export const USERINFO = 'stray-user:stray-password';

const MB = 1024 * 1024;
/** Interval of a response that arrives byte by byte. */
const DRIBBLE_MS = 100;
/** Returns an error text that repeats the request with its credential, to test that no message shows secrets. */
const describeRequest = ({ exchange: { method, path, headers } }: InterceptedExchange) =>
	`It failed: ${method} ${path} ${JSON.stringify(headers)}`;
const errorBodyFor = (exchange: InterceptedExchange) => {
	const text = describeRequest(exchange);
	return { message: text, Message: text, detail: text, success: false };
};

/** Lets the service carry the request out, then sends the given text in place of its response. */
const replaceBody =
	(text: string) =>
	async (exchange: InterceptedExchange): Promise<void> => {
		await exchange.sendUpstream();
		sendJson(exchange, 200, text);
	};

let gzipBomb: Buffer | undefined;

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
			const upstream = await sendUpstream();
			const text = bodyOrSubstitute(upstream);
			socket.end(
				joinBytes(responseHead(upstream, { 'content-length': text.length }), firstHalf(text)),
			);
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
			sendSlowly(socket, 'x', DRIBBLE_MS);
		},
	},
	{
		name: 'dribblingBody',
		description: 'body that dribbles without end',
		kind: 'lost',
		isSlow: true,
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const upstream = await sendUpstream();
			socket.write(joinBytes(responseHead(upstream, { 'transfer-encoding': 'chunked' })));
			sendSlowly(socket, '1\r\n \r\n', DRIBBLE_MS);
		},
	},
	{
		name: 'truncated',
		description: 'answer that ends too early',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const upstream = await sendUpstream();
			const text = firstHalf(bodyOrSubstitute(upstream));
			socket.end(
				joinBytes(
					responseHead(upstream, { 'content-length': text.length, connection: 'close' }),
					text,
				),
			);
		},
	},
	{
		name: 'tooLongLength',
		description: 'length that is too long',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const upstream = await sendUpstream();
			const text = bodyOrSubstitute(upstream);
			socket.end(joinBytes(responseHead(upstream, { 'content-length': text.length + 1000 }), text));
		},
	},
	{
		name: 'tooShortLength',
		description: 'length that is too short',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const upstream = await sendUpstream();
			const text = bodyOrSubstitute(upstream);
			socket.end(
				joinBytes(responseHead(upstream, { 'content-length': firstHalf(text).length }), text),
			);
		},
	},
	{
		name: 'garbageGzip',
		description: 'garbage that calls itself gzip',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const garbage = Buffer.from('this was never compressed, whatever the head says');
			const upstream = await sendUpstream();
			const length = { 'content-length': garbage.length, 'content-encoding': 'gzip' };
			socket.end(joinBytes(responseHead(upstream, { ...length, connection: 'close' }), garbage));
		},
	},
	{
		name: 'page200',
		description: 'web page with status 200',
		kind: 'foreign',
		inject: (exchange) => sendHtmlPage(exchange, 200, describeRequest(exchange)),
	},
	{
		name: 'page502',
		description: 'web page with status 502',
		kind: 'failing',
		inject: async (exchange) => {
			await exchange.sendUpstream();
			sendHtmlPage(exchange, 502, describeRequest(exchange));
		},
	},
	{
		name: 'rateLimitedFor1s',
		description: '429 with a short pause',
		kind: 'rateLimited',
		inject: (exchange) => sendJson(exchange, 429, errorBodyFor(exchange), { 'retry-after': '1' }),
	},
	{
		name: 'rateLimitedForLong',
		description: '429 with a long pause',
		kind: 'longRateLimit',
		inject: (exchange) =>
			sendJson(exchange, 429, errorBodyFor(exchange), { 'retry-after': '7200' }),
	},
	{
		name: 'busy',
		description: '429 without a pause',
		kind: 'rateLimited',
		inject: (exchange) => sendJson(exchange, 429, errorBodyFor(exchange)),
	},
	{
		name: 'status500',
		description: '500 after it was carried out',
		kind: 'failing',
		inject: async (exchange) => {
			await exchange.sendUpstream();
			sendJson(exchange, 500, errorBodyFor(exchange));
		},
	},
	{
		name: 'status503',
		description: '503',
		kind: 'failing',
		inject: (exchange) => sendJson(exchange, 503, errorBodyFor(exchange)),
	},
	{
		name: 'empty',
		description: '200 without a body',
		kind: 'wrongBody',
		affectsBodyOnly: true,
		inject: replaceBody(''),
	},
	{
		name: 'null',
		description: '200 with null',
		kind: 'wrongBody',
		affectsBodyOnly: true,
		inject: replaceBody('null'),
	},
	{
		name: 'number',
		description: '200 with a number',
		kind: 'wrongBody',
		affectsBodyOnly: true,
		inject: replaceBody('42'),
	},
	{
		name: 'text',
		description: '200 with a text',
		kind: 'wrongBody',
		affectsBodyOnly: true,
		inject: replaceBody('"well"'),
	},
	{
		name: 'numbers',
		description: '200 with a list of numbers',
		kind: 'wrongBody',
		affectsBodyOnly: true,
		inject: replaceBody('[1,2,3]'),
	},
	{
		name: 'deep',
		description: 'JSON of 100,000 levels',
		kind: 'lost',
		affectsBodyOnly: true,
		inject: replaceBody(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
	},
	{
		name: 'redirect',
		description: 'redirect to somewhere else',
		kind: 'foreign',
		inject: ({ response, exchange, redirectTarget }) => {
			const location = redirectTarget.replace('://', `://${USERINFO}@`) + exchange.path;
			response.writeHead(307, { location }).end();
		},
	},
	{
		name: 'huge',
		description: 'body of 100 MB',
		kind: 'huge',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			const upstream = await sendUpstream();
			socket.write(joinBytes(responseHead(upstream, { 'content-length': 100 * MB })));
			await sendBlanks(socket, 100 * MB);
		},
	},
	{
		name: 'bomb',
		description: '100 MB in a small gzip',
		kind: 'huge',
		affectsBodyOnly: true,
		inject: async ({ sendUpstream, socket }) => {
			gzipBomb ??= gzipSync(Buffer.alloc(100 * MB, ' '));
			const upstream = await sendUpstream();
			const length = { 'content-length': gzipBomb.length, 'content-encoding': 'gzip' };
			socket.end(joinBytes(responseHead(upstream, { ...length, connection: 'close' }), gzipBomb));
		},
	},
];

const firstHalf = (text: Buffer) => text.subarray(0, Math.floor(text.length / 2));

export function findFault(name: string): Fault {
	const fault = faults.find((candidate) => candidate.name === name);
	if (!fault) throw new Error(`There is no fault ${name}`);
	return fault;
}
