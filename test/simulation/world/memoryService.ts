import type { IHttpRequestOptions } from 'n8n-workflow';
import { createRequire } from 'node:module';

import { createSandboxInMemory } from '../../../sandbox/server';
import { never } from './n8nProcess';
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
type RequestFault = (typeof requestFaults)[number];

/** A fault at a request, counted from 1 in the order in which requests are sent. */
export interface PlannedFault {
	request: number;
	fault: RequestFault;
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

/** Returns the sandbox of this process, reset. Creating one takes longer than most histories. */
export async function openSandbox(): Promise<Sandbox> {
	sandbox ??= await createSandboxInMemory({ registrations: 3, contacts: 12 });
	sandbox.reset();
	return sandbox;
}

/** The services, called in the process, with faults. Their clock runs apart from that of n8n's machine. */
export class MemoryService {
	private requestCount = 0;
	private faultsEnded = false;
	/** Difference between the services' clock and the machine's monotonic time. */
	private readonly clockOffsetMs: number;

	constructor(
		private readonly world: World,
		readonly sandbox: Sandbox,
		private readonly faults: PlannedFault[],
		clockAheadMs: number,
	) {
		const { machine } = world;
		this.clockOffsetMs = machine.wallClockOffsetMs + clockAheadMs;
		sandbox.world.now = () => Math.floor(machine.nowMs + this.clockOffsetMs);
		const request = async (options: IHttpRequestOptions) => await this.exchange(options);
		container.set(OutboundHttp, { requests: () => ({ request }) });
	}

	/** Lets all further requests succeed. */
	endFaults(): void {
		this.faultsEnded = true;
	}

	private async exchange(options: IHttpRequestOptions) {
		const { world } = this;
		const process = world.process;
		if (!process) return await never();
		const number = ++this.requestCount;
		const planned = this.faults.find(({ request }) => request === number)?.fault;
		const fault = this.faultsEnded ? undefined : planned;
		if (fault) world.faultCount++;
		const { method = 'GET' } = options;
		const url = new URL(options.url);
		for (const [name, value] of Object.entries(options.qs ?? {}))
			url.searchParams.set(name, String(value));
		const path = url.pathname + url.search;
		const latencyMs = world.random.next() * (fault === 'delayed' ? LONG_DELAY_MS : MAX_LATENCY_MS);
		const executed = await world.cause(process, async () => {
			world.record({ type: 'requested', request: number, process: process.number, method, path });
			await this.wait(latencyMs / 2);
			const replaced = fault && replacedResponse(fault);
			if (replaced || fault === 'lostBefore') return replaced;
			return await this.execute(number, method, path, options);
		});
		return await world.cause(process, async () => {
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
		});
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
		const text = response.payload;
		this.world.record({
			type: 'executed',
			request: number,
			status: response.statusCode,
			body: parseJson(text),
		});
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
	const [status, , hint] = fault.split(' ');
	if (Number.isNaN(Number(status))) return undefined;
	const headers = hint ? { ...json, 'retry-after': `${RETRY_AFTER_SECONDS}` } : json;
	return { status: Number(status), headers, text: '{"message":"No"}' };
}

const brokenConnection = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
