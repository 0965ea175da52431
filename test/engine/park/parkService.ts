import type { IHttpRequestOptions } from 'n8n-workflow';

import type { MemoryResponse } from './memoryHttp';

/** Base URL of the service. */
export const SERVICE = 'http://service.test';

/** An approval request: question, details and status. */
interface Approval {
	message: string;
	details?: Record<string, string>;
	status: string;
}

/** The approval requests of a two-factor service, without a socket. */
export class ApprovalService {
	/** Approval requests by uuid. */
	readonly approvals = new Map<string, Approval>();
	/** Recipient of each request and the time after which it expires, by uuid. */
	readonly recipients = new Map<string, { user: string; expirySeconds?: number }>();
	/** When each request was sent, by uuid. */
	private readonly sentAtMs = new Map<string, number>();
	/** Whether requests expire by themselves, as at the real service. */
	expiresRequests = false;
	/** Returns the time that a request needs to reach the service, and its response to come back. */
	latencyMs: () => number = () => 0;
	/** Users to whom the service sends no request: it responds with 400. */
	readonly unreachableUsers = new Set<string>();
	/** Users without the app. */
	readonly usersWithoutApp = new Set<string>();
	/** Every poll, in order. */
	readonly polls: Array<{ uuid: string; polledAtMs: number }> = [];
	/** Returns another response to a request, if the test wants one. */
	replaceResponse: (method: string, uuid: string, key: string) => MemoryResponse | undefined = () =>
		undefined;

	/** Sets the status of a request. */
	decide(uuid: string, status: string): void {
		this.approvals.get(uuid)!.status = status;
	}

	/** Sets the status of a request unless it has ended, as an answer on a phone does. Returns whether it did. */
	answer(uuid: string, status: string): boolean {
		this.expireOverdue(uuid);
		const isOpen = this.approvals.get(uuid)!.status === 'pending';
		if (isOpen) this.decide(uuid, status);
		return isOpen;
	}

	private expireOverdue(uuid: string): void {
		if (!this.expiresRequests || this.approvals.get(uuid)!.status !== 'pending') return;
		const { expirySeconds = Infinity } = this.recipients.get(uuid)!;
		if (Date.now() >= this.sentAtMs.get(uuid)! + 1000 * expirySeconds) this.decide(uuid, 'expired');
	}

	/** Returns the uuids of the requests to a user, in order. */
	uuidsSentTo(user: string): string[] {
		return [...this.recipients].flatMap(([uuid, recipient]) =>
			recipient.user === user ? [uuid] : [],
		);
	}

	/** Sets the status of the last request to a user. */
	decideLastRequestOf(user: string, status = 'approved'): void {
		this.decide(this.uuidsSentTo(user).at(-1)!, status);
	}

	/** Returns the uuid of the request with this question. Throws unless it was sent exactly once. */
	findUuid(message: string): string {
		const matches = [...this.approvals].filter(([, approval]) => approval.message === message);
		if (matches.length !== 1) throw new Error(`"${message}" was asked ${matches.length} times`);
		return matches[0]![0];
	}

	async respond(options: IHttpRequestOptions): Promise<MemoryResponse> {
		await this.travel();
		const response = this.handle(options);
		await this.travel();
		return response;
	}

	private async travel(): Promise<void> {
		const ms = this.latencyMs();
		if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
	}

	private handle({ method, url, body, headers }: IHttpRequestOptions): MemoryResponse {
		const uuid = url.split('/').pop()!;
		if (method !== 'POST') this.polls.push({ uuid, polledAtMs: Date.now() });
		if (uuid === 'status') {
			const isRegistered = !this.usersWithoutApp.has(url.split('/').at(-2)!);
			return { status: 200, body: { status: { registered: isRegistered }, success: true } };
		}
		const replacement = this.replaceResponse(`${method}`, uuid, `${headers?.Key}`);
		if (replacement) return replacement;
		if (method === 'POST') {
			const user = url.split('/').at(-2)!;
			if (this.unreachableUsers.has(user))
				return { status: 400, body: { message: 'User not found' } };
			const {
				message,
				details,
				seconds_to_expire: expirySeconds,
			} = JSON.parse(`${body}`) as Approval & {
				seconds_to_expire?: number;
			};
			const newUuid = `uuid-${this.approvals.size + 1}`;
			this.approvals.set(newUuid, { message, details, status: 'pending' });
			this.recipients.set(newUuid, { user, expirySeconds });
			this.sentAtMs.set(newUuid, Date.now());
			return { status: 200, body: { approval_request: { uuid: newUuid }, success: true } };
		}
		const approval = this.approvals.get(uuid);
		if (!approval)
			return {
				status: 404,
				body: { message: 'Not found', success: false, error_code: '60049' },
			};
		this.expireOverdue(uuid);
		return { status: 200, body: { approval_request: { uuid, ...approval }, success: true } };
	}
}
