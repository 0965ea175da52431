import { createHash } from 'node:crypto';

import type { HandlerResponse, ServiceRequest, Handler } from '../service';
import { application } from './application';
import type { Approval, ApprovalInput } from './approvals';
import { TwoFactorError } from './errors';
import type { TwoFactorState } from './state';

type CreateRequest = ServiceRequest<{ twofactor_id: string }, object, ApprovalInput>;
type GetRequest = ServiceRequest<{ uuid: string }>;

/** Handlers of the resource Approval Request. */
export function approvalHandlers(state: TwoFactorState): Record<string, Handler> {
	const { users, approvals, settings } = state;

	const showApproval = (approval: Approval) => ({
		uuid: approval.uuid,
		status: approval.status,
		message: approval.input.message,
		details: approval.input.details ?? {},
		twofactor_id: state.showId(approval.userId),
		_id: deriveInternalId(`request ${approval.uuid}`),
		_app_name: application.name,
		_app_serial_id: application.app_id,
		_twofactor_id: state.showId(approval.userId),
		_user_email: approval.email,
		app_id: deriveInternalId(`application ${application.app_id}`),
		user_id: deriveInternalId(`user ${approval.userId}`),
		created_at: toIsoTime(approval.createdAt),
		updated_at: toIsoTime(approval.updatedAt),
		processed_at: approval.processedAt === undefined ? null : toIsoTime(approval.processedAt),
		seconds_to_expire: approval.secondsToExpire,
		notified: true,
	});

	return {
		createApprovalRequest({ params, body }: CreateRequest): HandlerResponse {
			if (!settings.pushEnabled) throw new TwoFactorError('60065');
			const user = users.getActive(params.twofactor_id);
			const { uuid } = approvals.add(user, body);
			return { status: 200, body: { approval_request: { uuid }, success: true } };
		},

		getApprovalRequest({ params }: GetRequest): HandlerResponse {
			const approval = approvals.find(params.uuid);
			if (!approval) throw new TwoFactorError('60049');
			return { status: 200, body: { approval_request: showApproval(approval), success: true } };
		},
	};
}

/** Returns an internal ID of the service's database, which no other operation accepts. */
function deriveInternalId(recordName: string): string {
	return createHash('sha256').update(recordName).digest('hex').slice(0, 24);
}

function toIsoTime(ms: number): string {
	return new Date(ms).toISOString();
}
