import { createHash } from 'node:crypto';

import type { HandlerResponse, ServiceRequest, Handler } from '../service';
import { application } from './application';
import type { Approval, ApprovalInput } from './approvals';
import { Failure } from './failures';
import type { State } from './state';

type CreateRequest = ServiceRequest<{ twofactor_id: string }, object, ApprovalInput>;
type GetRequest = ServiceRequest<{ uuid: string }>;

/** Handlers of the resource Approval Request. */
export function approvalHandlers(state: State): Record<string, Handler> {
	const { users, approvals, settings } = state;

	const present = (approval: Approval) => ({
		uuid: approval.uuid,
		status: approval.status,
		message: approval.input.message,
		details: approval.input.details ?? {},
		twofactor_id: state.shownId(approval.userId),
		_id: opaqueId(`request ${approval.uuid}`),
		_app_name: application.name,
		_app_serial_id: application.app_id,
		_twofactor_id: state.shownId(approval.userId),
		_user_email: approval.email,
		app_id: opaqueId(`application ${application.app_id}`),
		user_id: opaqueId(`user ${approval.userId}`),
		created_at: asDate(approval.createdAt),
		updated_at: asDate(approval.updatedAt),
		processed_at: approval.processedAt === undefined ? null : asDate(approval.processedAt),
		seconds_to_expire: approval.secondsToExpire,
		notified: true,
	});

	return {
		createApprovalRequest({ params, body }: CreateRequest): HandlerResponse {
			if (!settings.pushEnabled) throw new Failure('60065');
			const user = users.active(params.twofactor_id);
			const { uuid } = approvals.add(user, body);
			return { status: 200, body: { approval_request: { uuid }, success: true } };
		},

		getApprovalRequest({ params }: GetRequest): HandlerResponse {
			const approval = approvals.find(params.uuid);
			if (!approval) throw new Failure('60049');
			return { status: 200, body: { approval_request: present(approval), success: true } };
		},
	};
}

/** Returns an internal ID of the service's database, which no other operation accepts. */
function opaqueId(what: string): string {
	return createHash('sha256').update(what).digest('hex').slice(0, 24);
}

function asDate(ms: number): string {
	return new Date(ms).toISOString();
}
