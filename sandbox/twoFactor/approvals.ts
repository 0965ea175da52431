import type { World } from '../service';
import { application } from './application';
import type { User } from './users';

export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired';

export interface ApprovalInput {
	message: string;
	details?: Record<string, unknown>;
	hidden_details?: Record<string, unknown>;
	logos?: Array<{ res: string; url: string }>;
	seconds_to_expire?: number;
}

/** A push approval from its creation to its end. */
export interface Approval {
	uuid: string;
	userId: number;
	email: string;
	phone: string;
	input: ApprovalInput;
	status: ApprovalStatus;
	secondsToExpire: number;
	createdAt: number;
	updatedAt: number;
	processedAt?: number;
	/** Infinity for a request that never expires. */
	expiresAt: number;
}

const MAX_APPROVALS = 20_000;
const DEFAULT_LIFETIME_SECONDS = 86_400;

/** All approval requests. Expiry is detected on access; the phone is notified of every change. */
export class Approvals {
	private readonly approvals = new Map<string, Approval>();

	constructor(private readonly world: World) {}

	reset(): void {
		this.approvals.clear();
	}

	add({ id, email, number }: User, input: ApprovalInput): Approval {
		const now = this.world.now();
		const lifetimeSeconds = input.seconds_to_expire ?? DEFAULT_LIFETIME_SECONDS;
		const approval: Approval = {
			uuid: this.world.random.uuid(),
			userId: id,
			email,
			phone: number.phone,
			input,
			status: 'pending',
			secondsToExpire: lifetimeSeconds,
			createdAt: now,
			updatedAt: now,
			expiresAt: lifetimeSeconds === 0 ? Infinity : now + lifetimeSeconds * 1000,
		};
		this.approvals.set(approval.uuid, approval);
		// Removes the oldest request, so that a sandbox that runs for weeks stays small.
		if (this.approvals.size > MAX_APPROVALS)
			this.approvals.delete(this.approvals.keys().next().value!);
		this.notifyPhone(approval);
		return approval;
	}

	/** Returns an approval request in its current state, if it is known. */
	find(uuid: string): Approval | undefined {
		const approval = this.approvals.get(uuid);
		if (approval?.status === 'pending' && approval.expiresAt <= this.world.now()) {
			this.setStatus(approval, 'expired', approval.expiresAt);
		}
		return approval;
	}

	list(): Approval[] {
		return [...this.approvals.keys()].map((uuid) => this.find(uuid)!);
	}

	/** Records the user's decision on a pending request. */
	decide(approval: Approval, status: 'approved' | 'denied'): void {
		approval.processedAt = this.world.now();
		this.setStatus(approval, status, approval.processedAt);
	}

	/** Ends a pending request as if its time had run out. */
	expire(approval: Approval): void {
		approval.expiresAt = this.world.now();
		this.setStatus(approval, 'expired', approval.expiresAt);
	}

	private setStatus(approval: Approval, status: ApprovalStatus, changedAt: number): void {
		approval.status = status;
		approval.updatedAt = changedAt;
		this.notifyPhone(approval);
	}

	private notifyPhone({ uuid, phone, input, status, createdAt, expiresAt }: Approval): void {
		const { message, details = {}, logos = [] } = input;
		this.world.phone.deliver({
			kind: 'approval',
			id: uuid,
			at: createdAt,
			to: { phone },
			from: application.name,
			message,
			details: Object.fromEntries(
				Object.entries(details).map(([name, value]) => [name, toText(value)]),
			),
			logo: (logos.find(({ res }) => res === 'default') ?? logos[0])?.url,
			status,
			expiresAt: Number.isFinite(expiresAt) ? expiresAt : undefined,
		});
	}
}

function toText(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
