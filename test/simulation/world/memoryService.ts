import type { IHttpRequestOptions } from 'n8n-workflow';
import { createRequire } from 'node:module';

import { createSandboxInMemory } from '../../../sandbox/server';
import { N8N_ADDRESS } from './executions';
import { N8nProcess, never } from './n8nProcess';
import type { World } from './world';

/** Faults of single requests. */
export const requestFaults = [
	/** The request does not reach the service; the connection breaks. */
	'lostBefore',
	/** The service carries the request out; the connection breaks before the response. */
	'lostAfter',
	'delayed',
	/** The body ends early. */
	'truncated',
	/** The service answers that it does not know the record, as a replica that lags behind does. */
	'unknown',
	'401',
	'404',
	'410',
	'429',
	'429 with Retry-After',
	'500',
	'503',
	/** A web page of a proxy, with status 200. */
	'html',
] as const;
type RequestFault = (typeof requestFaults)[number] | typeof LONG_PAUSE;

/** A pause that is longer than a request may wait. Not among the random faults: it would pause most of a history. */
export const LONG_PAUSE = '429 with Retry-After 90';

/** A fault at a request, counted from 1 in the order in which requests are sent. */
export interface PlannedFault {
	request: number;
	fault: RequestFault;
}

/** A request that a service has carried out, with its response. */
interface ExecutedRequest {
	request: number;
	method: string;
	path: string;
	/** Fields of the request's body. */
	sent: Record<string, unknown>;
	status: number;
	body: unknown;
}

interface MemoryResponse {
	status: number;
	headers: Record<string, unknown>;
	text: string;
}

type Sandbox = Awaited<ReturnType<typeof createSandboxInMemory>>;

interface HttpService {
	requests: () => { request: (options: IHttpRequestOptions) => Promise<unknown> };
}
interface Container {
	set: (type: unknown, instance: HttpService) => void;
}

// The module instances that n8n's engine uses.
const requireFromN8n = createRequire(require.resolve('n8n-core'));
const { OutboundHttp } = requireFromN8n('@n8n/backend-network') as { OutboundHttp: unknown };
const { Container: container } = requireFromN8n('@n8n/di') as { Container: Container };

const RETRY_AFTER_SECONDS = 7;
const MAX_LATENCY_MS = 80;
const LONG_DELAY_MS = 4000;

let sandbox: Sandbox | undefined;

/** Returns the sandbox of this process. Creating one takes longer than most histories. */
export async function openSandbox(): Promise<Sandbox> {
	sandbox ??= await createSandboxInMemory({ registrations: 3, contacts: 12 });
	return sandbox;
}

/** The services, called in the process, with faults. Their clock runs apart from that of n8n's machine. */
export class MemoryService {
	private requestCount = 0;
	private faultsEnded = false;
	private readonly nextFaults: Array<{ method: string; fault: RequestFault; pathPart: string }> =
		[];
	/** Whether the services reject the credential. */
	rejectsCredential = false;
	/** IDs of the records that the services cannot return. */
	unreadableIds: ReadonlySet<string> = new Set();
	/** Called when a service has carried out a request: people react to it. */
	onExecuted: (request: ExecutedRequest) => void = () => undefined;
	/** Returns the body of a response as the process gets it: a service may show a record that differs from the sandbox's. */
	changeBody: (body: unknown) => unknown = (body) => body;
	/** Difference between the services' clock and the machine's monotonic time. */
	private clockOffsetMs: number;
	/** Returns the body of the response to a request that the sandbox does not serve; undefined for all others. */
	serve?: (request: number, url: URL) => object | undefined;

	constructor(
		private readonly world: World,
		readonly sandbox: Sandbox,
		private readonly faults: PlannedFault[],
		clockAheadMs: number,
	) {
		const { machine } = world;
		this.clockOffsetMs = machine.wallClockOffsetMs + clockAheadMs;
		sandbox.world.now = () => Math.floor(machine.nowMs + this.clockOffsetMs);
		// Records that exist from the start are dated by the clock of this history.
		sandbox.reset();
		const request = async (options: IHttpRequestOptions) => await this.exchange(options);
		container.set(OutboundHttp, { requests: () => ({ request }) });
	}

	/** Sets the clock of the services. */
	stepClock(byMs: number): void {
		this.clockOffsetMs += byMs;
		this.world.record({ type: 'serviceClockStepped', byMs });
	}

	/** Gives the next request with a method a fault; with `pathPart`, the next one whose path contains it. */
	failNext(method: string, fault: RequestFault, pathPart = ''): void {
		this.nextFaults.push({ method, fault, pathPart });
	}

	/** Lets all further requests succeed. */
	endFaults(): void {
		this.faultsEnded = true;
	}

	private async exchange(options: IHttpRequestOptions) {
		const { world } = this;
		const process = N8nProcess.current();
		if (!process || process.hasEnded()) return await never();
		if (options.url.startsWith(N8N_ADDRESS)) return await this.exchangeLocally(process, options);
		const number = ++this.requestCount;
		const rejection = this.rejectsCredential ? '401' : undefined;
		const { method = 'GET' } = options;
		const url = new URL(options.url);
		const planned = this.faults.find(({ request }) => request === number)?.fault;
		// Only a request that reads one record can concern one that the service does not know.
		const isOfRecord = method === 'GET' && /\d[^/]*$/.test(url.pathname);
		const possible = planned === 'unknown' && !isOfRecord ? '404' : planned;
		const nextIndex = this.nextFaults.findIndex(
			(next) => next.method === method && url.pathname.includes(next.pathPart),
		);
		const next = nextIndex < 0 ? undefined : this.nextFaults.splice(nextIndex, 1)[0]!.fault;
		const failure = this.unreadableIds.has(url.pathname.split('/').at(-1)!) ? '500' : undefined;
		const fault = this.faultsEnded ? undefined : (possible ?? next ?? rejection ?? failure);
		if (fault) world.faultCount++;
		for (const [name, value] of Object.entries(options.qs ?? {}))
			url.searchParams.set(name, String(value));
		const path = url.pathname + url.search;
		const endpoint = `${method} ${withoutIds(url.pathname)}`;
		const caller = N8nProcess.currentCaller();
		const latencyMs = world.random.next() * (fault === 'delayed' ? LONG_DELAY_MS : MAX_LATENCY_MS);
		const executed = await world.cause(
			process,
			'request',
			async () => {
				world.record({
					type: 'requested',
					request: number,
					process: process.number,
					method,
					path,
					...caller,
					...(options.body !== undefined && { sent: parseSent(options.body) }),
				});
				await this.wait(latencyMs / 2);
				const replaced = fault && replacedResponse(fault);
				if (replaced || fault === 'lostBefore') return replaced;
				const target = fault === 'unknown' ? unknownPath(url) : path;
				return await this.execute(number, method, target, options);
			},
			endpoint,
		);
		return await world.cause(
			process,
			'response',
			async () => {
				await this.wait(latencyMs / 2);
				const isLost = fault === 'lostBefore' || fault === 'lostAfter';
				const { status, headers } = executed ?? {};
				const retryAfter = Number(headers?.['retry-after'] ?? NaN);
				world.record({
					type: 'responded',
					request: number,
					...(isLost ? {} : { status }),
					...(!isLost && retryAfter >= 0 && { retryAfterMs: retryAfter * 1000 }),
					...(fault && { fault }),
				});
				if (isLost || !executed) throw brokenConnection();
				const { text } = executed;
				const body = fault === 'truncated' ? text.slice(0, text.length / 2) : text;
				return { statusCode: status, headers, body };
			},
			endpoint,
		);
	}

	/** Sends a request to n8n itself. Such requests have no faults: they stay on the machine. */
	private async exchangeLocally(process: N8nProcess, options: IHttpRequestOptions) {
		const { status, body } = await this.world.onLocalRequest(process, options);
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		return { statusCode: status, headers: { 'content-type': 'application/json' }, body: text };
	}

	/** Waits in the machine's time. Also a request of a killed process reaches the service. */
	private async wait(ms: number): Promise<void> {
		await this.world.machine.sleep(ms);
	}

	private async execute(
		number: number,
		method: string,
		path: string,
		{ headers, body }: IHttpRequestOptions,
	): Promise<MemoryResponse> {
		const served = this.serve?.(number, new URL(path, this.sandbox.url));
		if (served) {
			const date = new Date(this.sandbox.world.now()).toUTCString();
			const text = JSON.stringify(served);
			return { status: 200, headers: { 'content-type': 'application/json', date }, text };
		}
		const isText = typeof body === 'string';
		const response = await this.world.machine.runUnordered(
			async () =>
				await this.sandbox.inject({
					method: method as 'GET',
					url: path,
					headers: { ...(headers as Record<string, string>), host: 'localhost' },
					...(body !== undefined && { payload: isText ? body : JSON.stringify(body) }),
				}),
		);
		const original = parseJson(response.payload);
		const changed = this.changeBody(original);
		const text = changed === original ? response.payload : JSON.stringify(changed);
		const executed = { status: response.statusCode, body: changed };
		this.world.record({ type: 'executed', request: number, ...executed });
		this.onExecuted({ request: number, method, path, sent: parseSent(body), ...executed });
		return { status: response.statusCode, headers: response.headers, text };
	}
}

/** Returns the response of something before the service, which the request does not reach. */
function replacedResponse(fault: RequestFault): MemoryResponse | undefined {
	const json = { 'content-type': 'application/json' };
	if (fault === 'html') {
		const text = '<html><body>Sign in</body></html>';
		return { status: 200, headers: { 'content-type': 'text/html' }, text };
	}
	const [status, , hint, seconds = RETRY_AFTER_SECONDS] = fault.split(' ');
	if (Number.isNaN(Number(status))) return undefined;
	const headers = hint ? { ...json, 'retry-after': `${seconds}` } : json;
	return { status: Number(status), headers, text: '{"message":"No"}' };
}

const brokenConnection = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** Reads a body that is an object, JSON or a form. */
function parseSent(body: unknown): Record<string, unknown> {
	if (typeof body !== 'string') return (body ?? {}) as Record<string, unknown>;
	if (/^[{[]/.test(body)) return JSON.parse(body) as Record<string, unknown>;
	return Object.fromEntries(new URLSearchParams(body));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Returns the path with another ID, which the service does not know. */
const unknownPath = ({ pathname, search }: URL) =>
	pathname.replace(/[^/]*$/, (id) => id.replace(/\d/g, (digit) => `${9 - Number(digit)}`)) + search;

/** Returns a path with each part that contains a digit as a star, so that requests for different records count as one kind. */
const withoutIds = (pathname: string) => pathname.replace(/[^/]*\d[^/]*/g, '*');
