import type { Fault } from '../support/faults/fault';
import type { UpstreamResponse } from '../support/faults/proxiedRequest';

/** A request of a node, as a dialect sees it. */
export interface DialectRequest {
	method: string;
	/** Path and query below the service's address. The host is a placeholder. */
	url: URL;
	/** Position among the requests of the run, counted from 1. */
	number: number;
}

/** A complete answer. Header names are in lower case. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

/** One difference between a service and its contract. Without a member of its own, a part of the exchange stays as it is. */
export interface Dialect {
	name: string;
	group: string;
	/** Changes the query before the service reads it. */
	query?: (query: URLSearchParams) => void;
	/** Answers in place of the service, which then does nothing. */
	instead?: (request: DialectRequest) => Answer | undefined;
	/** Rewrites the service's answer; undefined leaves it as it is. */
	rewrite?: (answer: Answer, request: DialectRequest) => Answer | undefined;
	/** Returns a value as the dialect writes it. An output with this value has the same data. */
	form?: (value: unknown) => unknown;
}

/** A rewriting function for JSON bodies. */
export type RewriteBody = (body: unknown, request: DialectRequest) => unknown;

export const jsonAnswer = (
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): Answer => ({
	status,
	headers: { 'content-type': 'application/json', ...headers },
	body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
});

/** Returns the parsed body of a success; undefined for any other answer. */
export function jsonIn({ status, headers, body }: Answer): unknown {
	const isJson = /json/.test(headers['content-type'] ?? '') && body.length > 0;
	return status >= 200 && status < 300 && isJson
		? (JSON.parse(body.toString()) as unknown)
		: undefined;
}

/** Returns an answer with another JSON body. Headers that describe the old bytes are dropped. */
export function withBody({ status, headers }: Answer, body: unknown): Answer {
	const { 'content-length': length, etag, ...rest } = headers;
	void length;
	void etag;
	return jsonAnswer(status, body, rest);
}

/** Creates a `rewrite` that changes the JSON body of a success. */
export const onJson =
	(change: RewriteBody): NonNullable<Dialect['rewrite']> =>
	(answer, request) => {
		const body = jsonIn(answer);
		return body === undefined ? undefined : withBody(answer, change(body, request));
	};

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the list in a body of the sandbox: bare, or in `data` with `pagination`. */
export function listIn(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	return isObject(body) && Array.isArray(body.data) && isObject(body.pagination)
		? body.data
		: undefined;
}

/** Creates a `rewrite` for lists alone. */
export const onList = (change: (list: unknown[], request: DialectRequest) => unknown) =>
	onJson((body, request) => {
		const list = listIn(body);
		return list ? change(list, request) : body;
	});

/** Whether a path is that of a form, whose members are named by the event's organizer. */
export const isForm = ({ url }: DialectRequest): boolean => /form$/.test(url.pathname);

/** Rebuilds a JSON value with every member changed. */
export function mapMembers(
	value: unknown,
	change: (name: string, value: unknown) => [name: string, value: unknown] | undefined,
): unknown {
	if (Array.isArray(value)) return value.map((entry) => mapMembers(entry, change));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, member]) => {
			const changed = change(name, mapMembers(member, change));
			return changed ? [changed] : [];
		}),
	);
}

/** Creates the fault with which the proxy speaks a dialect. Calls `onChange` for each exchange that differs from the service's own. */
export const toFault = (dialect: Dialect, onChange: () => void): Fault => ({
	name: dialect.name,
	description: dialect.name,
	kind: 'foreign',
	inject: async ({ exchange, sendUpstream, response }) => {
		const url = new URL(exchange.path, 'http://service.invalid');
		const request = { method: exchange.method, url, number: exchange.number };
		const own = dialect.instead?.(request);
		const asked = new URL(url);
		if (!own) dialect.query?.(asked.searchParams);
		exchange.path = asked.pathname + asked.search;
		const upstream = own ?? toAnswer(await sendUpstream());
		const answer = own ?? dialect.rewrite?.(upstream, request) ?? upstream;
		const isChanged =
			own !== undefined || asked.search !== url.search || !isSameAnswer(upstream, answer);
		if (isChanged) onChange();
		const { 'content-length': length, ...headers } = answer.headers;
		void length;
		response.writeHead(answer.status, headers).end(answer.body);
	},
});

function toAnswer({ status, headers, body }: UpstreamResponse): Answer {
	const { connection, 'keep-alive': keepAlive, 'transfer-encoding': coding, ...rest } = headers;
	void connection;
	void keepAlive;
	void coding;
	const texts = Object.entries(rest).map(([name, value]) => [name, `${value}`]);
	return { status, headers: Object.fromEntries(texts) as Record<string, string>, body };
}

const isSameAnswer = (a: Answer, b: Answer) =>
	a.status === b.status &&
	a.body.equals(b.body) &&
	Object.entries({ ...a.headers, 'content-length': '' }).every(
		([name, value]) => name === 'content-length' || b.headers[name] === value,
	) &&
	Object.keys(b.headers).every((name) => name in a.headers);
