import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Answered } from './memoryHttp';

/** Where it is. */
export const SERVICE = 'http://service.test';

/** The question, what stands beside it, and what became of it. */
interface Approval {
	message: string;
	details?: Record<string, string>;
	status: string;
}

/** A two-factor service without a socket, as far as approval requests go. */
export class ApprovalService {
	/** What was sent, by uuid. */
	readonly approvals = new Map<string, Approval>();
	/** Who was asked, by uuid, and after how many seconds each request expires. */
	readonly users = new Map<string, { user: string; seconds?: number }>();
	/** The users to whom nothing can be sent. */
	readonly refused = new Set<string>();
	/** The users without the app. */
	readonly withoutApp = new Set<string>();
	/** When each was asked after. */
	readonly asked: Array<{ uuid: string; at: number }> = [];
	/** What to answer instead, if anything. */
	respondInstead: (method: string, uuid: string) => Answered | undefined = () => undefined;

	decide(uuid: string, status: string): void {
		this.approvals.get(uuid)!.status = status;
	}

	/** The uuids of what a user was sent, in this order. */
	sentTo(user: string): string[] {
		return [...this.users].flatMap(([uuid, one]) => (one.user === user ? [uuid] : []));
	}

	/** The user answers the last request. */
	vote(user: string, status = 'approved'): void {
		this.decide(this.sentTo(user).at(-1)!, status);
	}

	/** The uuid of a question. */
	uuidOf(message: string): string {
		const found = [...this.approvals].filter(([, approval]) => approval.message === message);
		if (found.length !== 1) throw new Error(`"${message}" was asked ${found.length} times`);
		return found[0]![0];
	}

	async answer({ method, url, body }: IHttpRequestOptions): Promise<Answered> {
		const uuid = url.split('/').pop()!;
		if (method !== 'POST') this.asked.push({ uuid, at: Date.now() });
		if (uuid === 'status') {
			const registered = !this.withoutApp.has(url.split('/').at(-2)!);
			return { status: 200, body: { status: { registered }, success: true } };
		}
		const instead = this.respondInstead(`${method}`, uuid);
		if (instead) return instead;
		if (method === 'POST') {
			const user = url.split('/').at(-2)!;
			if (this.refused.has(user)) return { status: 400, body: { message: 'User not found' } };
			const {
				message,
				details,
				seconds_to_expire: seconds,
			} = JSON.parse(`${body}`) as Approval & {
				seconds_to_expire?: number;
			};
			const made = `uuid-${this.approvals.size + 1}`;
			this.approvals.set(made, { message, details, status: 'pending' });
			this.users.set(made, { user, seconds });
			return { status: 200, body: { approval_request: { uuid: made }, success: true } };
		}
		const approval = this.approvals.get(uuid);
		if (!approval) return { status: 404, body: { message: 'Not found', success: false } };
		return { status: 200, body: { approval_request: { uuid, ...approval }, success: true } };
	}
}
