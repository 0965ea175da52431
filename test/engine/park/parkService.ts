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
	/** User and expiry in seconds of each request, by uuid. */
	readonly users = new Map<string, { user: string; seconds?: number }>();
	/** Users who cannot be reached. */
	readonly unreachableUsers = new Set<string>();
	/** Users without the app. */
	readonly usersWithoutApp = new Set<string>();
	/** When each request was polled. */
	readonly polls: Array<{ uuid: string; polledAtMs: number }> = [];
	/** Returns another response to a request, if the test wants one. */
	replaceResponse: (method: string, uuid: string) => MemoryResponse | undefined = () => undefined;

	decide(uuid: string, status: string): void {
		this.approvals.get(uuid)!.status = status;
	}

	/** Returns the uuids of the requests to a user, in order. */
	uuidsSentTo(user: string): string[] {
		return [...this.users].flatMap(([uuid, recipient]) => (recipient.user === user ? [uuid] : []));
	}

	/** Decides the last request of a user. */
	decideLastOf(user: string, status = 'approved'): void {
		this.decide(this.uuidsSentTo(user).at(-1)!, status);
	}

	/** Returns the uuid of a question. */
	uuidOf(message: string): string {
		const found = [...this.approvals].filter(([, approval]) => approval.message === message);
		if (found.length !== 1) throw new Error(`"${message}" was asked ${found.length} times`);
		return found[0]![0];
	}

	async respond({ method, url, body }: IHttpRequestOptions): Promise<MemoryResponse> {
		const uuid = url.split('/').pop()!;
		if (method !== 'POST') this.polls.push({ uuid, polledAtMs: Date.now() });
		if (uuid === 'status') {
			const registered = !this.usersWithoutApp.has(url.split('/').at(-2)!);
			return { status: 200, body: { status: { registered }, success: true } };
		}
		const replacement = this.replaceResponse(`${method}`, uuid);
		if (replacement) return replacement;
		if (method === 'POST') {
			const user = url.split('/').at(-2)!;
			if (this.unreachableUsers.has(user))
				return { status: 400, body: { message: 'User not found' } };
			const {
				message,
				details,
				seconds_to_expire: seconds,
			} = JSON.parse(`${body}`) as Approval & {
				seconds_to_expire?: number;
			};
			const newUuid = `uuid-${this.approvals.size + 1}`;
			this.approvals.set(newUuid, { message, details, status: 'pending' });
			this.users.set(newUuid, { user, seconds });
			return { status: 200, body: { approval_request: { uuid: newUuid }, success: true } };
		}
		const approval = this.approvals.get(uuid);
		if (!approval) return { status: 404, body: { message: 'Not found', success: false } };
		return { status: 200, body: { approval_request: { uuid, ...approval }, success: true } };
	}
}
