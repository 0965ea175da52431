import type { RequestStatus } from '../../../nodes/engine/quorum/types';
import type { PlannedFault } from './memoryService';
import type { N8nProcess } from './n8nProcess';
import type { World } from './world';

/** A request to one person, as the service knows it. */
interface StoredRequest {
	person: string;
	outcome: RequestStatus;
	/** By the machine's clock that never steps. */
	expiresAtMs: number;
	answeredAtMs?: number;
}

/** The state of a request, as a process reads it. */
export interface RequestReading {
	status: RequestStatus;
	respondedAt?: number;
}

/** The ID of a request; or why there is none. */
type SendResult = { id: string } | 'failed' | 'unclear';

type Fault = PlannedFault['fault'];

const MAX_LATENCY_MS = 80;
const LONG_DELAY_MS = 4000;
/** Faults of a write after which it is unclear whether it was carried out. */
const UNCLEAR: Fault[] = ['lostBefore', 'lostAfter', 'truncated', 'html', '500', '503'];
/** Faults with which a request does not reach the service. */
const NOT_REACHING: Fault[] = ['lostBefore', 'html', '401', '404', '410', '429', '500', '503'];

/** A service for approval requests that returns values, without HTTP. */
export class ApprovalService {
	private requestCount = 0;
	private areFaultsOver = false;
	private readonly requests = new Map<string, StoredRequest>();
	/** Called when a request was created: the person gets it. */
	onAsked: (id: string, question: string, person: string, expiresInMs: number) => void = () =>
		undefined;

	constructor(
		private readonly world: World,
		private readonly plan: { faults: PlannedFault[]; clockAheadMs: number },
		private readonly users: string[],
	) {}

	endFaults(): void {
		this.areFaultsOver = true;
	}

	/** Records an answer. Throws if the request has ended. */
	decide(id: string, outcome: string, responder: string): void {
		const request = this.requests.get(id)!;
		if (this.statusOf(request) !== 'pending') throw new Error('The request has ended');
		// No person can read the answer of another one.
		request.outcome = responder === request.person ? (outcome as RequestStatus) : 'unread';
		request.answeredAtMs = this.world.machine.nowMs;
	}

	/** Sends a request to a person. */
	async send(
		process: N8nProcess,
		person: string,
		question: string,
		expiresInMs: number,
	): Promise<SendResult> {
		const path = `/users/${person}/approval_requests`;
		return await this.exchange<SendResult>(process, 'POST', path, (request, fault) => {
			if (fault && NOT_REACHING.includes(fault))
				return { result: UNCLEAR.includes(fault) ? 'unclear' : 'failed', status: 503 };
			if (!this.users.includes(person)) return { result: 'failed', status: 404 };
			const { machine, random } = this.world;
			const id = random.uuid();
			const expiresAtMs = machine.nowMs + expiresInMs;
			this.requests.set(id, { person, outcome: 'pending', expiresAtMs });
			const body = { approval_request: { uuid: id } };
			this.world.record({ type: 'executed', request, status: 200, body });
			this.onAsked(id, question, person, expiresInMs);
			const isLost = fault !== undefined && UNCLEAR.includes(fault);
			return { result: isLost ? 'unclear' : { id }, status: 200 };
		});
	}

	/** Reads a request. */
	async read(process: N8nProcess, id: string): Promise<RequestReading> {
		return await this.exchange<RequestReading>(
			process,
			'GET',
			`/approval_requests/${id}`,
			(number, fault) => {
				if (fault === 'unknown') return { result: { status: 'gone' }, status: 404 };
				if (fault === '401') return { result: { status: 'credentialRejected' }, status: 401 };
				if (fault && fault !== 'delayed') return { result: { status: 'unread' }, status: 503 };
				const request = this.requests.get(id)!;
				const status = this.statusOf(request);
				this.world.record({ type: 'executed', request: number, status: 200, body: { status } });
				const { machine } = this.world;
				const offsetMs = machine.wallClockOffsetMs + this.plan.clockAheadMs;
				const answeredAt = request.answeredAtMs;
				const respondedAt = answeredAt === undefined ? undefined : answeredAt + offsetMs;
				return { result: { status, respondedAt }, status: 200 };
			},
		);
	}

	private statusOf({ outcome, expiresAtMs }: StoredRequest): RequestStatus {
		return outcome === 'pending' && this.world.machine.nowMs >= expiresAtMs ? 'expired' : outcome;
	}

	private async exchange<T>(
		process: N8nProcess,
		method: string,
		path: string,
		execute: (request: number, fault: Fault | undefined) => { result: T; status: number },
	): Promise<T> {
		const { world } = this;
		const request = ++this.requestCount;
		const planned = this.plan.faults.find((each) => each.request === request)?.fault;
		const possible = planned === 'unknown' && method === 'POST' ? '404' : planned;
		const fault = this.areFaultsOver ? undefined : possible?.replace(/ with.*/, '');
		if (fault) world.faultCount++;
		const latencyMs = world.random.next() * (fault === 'delayed' ? LONG_DELAY_MS : MAX_LATENCY_MS);
		const executed = await world.cause(process, 'request', async () => {
			world.record({ type: 'requested', request, process: process.number, method, path });
			await world.machine.sleep(latencyMs / 2);
			return execute(request, fault as Fault | undefined);
		});
		return await world.cause(process, 'response', async () => {
			await world.machine.sleep(latencyMs / 2);
			const { result, status } = executed;
			world.record({ type: 'responded', request, status, ...(fault && { fault }) });
			return result;
		});
	}
}
