import type { HandlerResponse, ServiceRequest, Handler } from '../service';
import { TwoFactorError } from './errors';
import { formatCodeMessage, deliverMessage } from './messages';
import { checkDeliverable, maskNumber } from './phoneNumbers';
import type { TwoFactorState } from './state';
import type { User } from './users';

type SendRequest = ServiceRequest<
	{ twofactor_id: string },
	{ force?: boolean; action?: string; action_message?: string; locale?: string }
>;
type VerifyRequest = ServiceRequest<
	{ token: string; twofactor_id: string },
	{ force?: boolean; action?: string }
>;

const messages = {
	sms: {
		sent: 'SMS token was sent',
		ignored: 'Ignored: SMS is not needed for users of the app. Pass force=true to send it anyway.',
	},
	call: {
		sent: 'Call started...',
		ignored: 'Call ignored: it is not needed for users of the app. Pass force=true to call anyway.',
	},
};

/** Handlers of the resource One-Time Code. */
export function codeHandlers(state: TwoFactorState): Record<string, Handler> {
	const { world, users, codes, statistics } = state;

	const send = (via: 'sms' | 'call', { params, query }: SendRequest): HandlerResponse => {
		const user = users.getActive(params.twofactor_id);
		const { number, device, hasCodesInApp } = user;
		const cellphone = maskNumber(number);
		if (device && hasCodesInApp && !query.force) {
			const message = messages[via].ignored;
			return {
				status: 200,
				body: { message, cellphone, device: device.os, ignored: true, success: true },
			};
		}
		checkDeliverable(number, via);
		const code = codes.issue(user, query.action);
		const purpose = query.action_message ?? query.action;
		deliverMessage(world, via, number, formatCodeMessage(code, query.locale, purpose), code);
		statistics.count(via === 'sms' ? 'sms' : 'calls');
		return { status: 200, body: { message: messages[via].sent, cellphone, success: true } };
	};

	return {
		sendCodeBySms: (request: SendRequest) => send('sms', request),
		sendCodeByCall: (request: SendRequest) => send('call', request),

		verifyCode({ params, query }: VerifyRequest): HandlerResponse {
			const user = users.getActive(params.twofactor_id);
			// Without `force`, the service accepts any code of a user who never confirmed a code. This is a documented trap.
			if (query.force || user.confirmed) {
				const result = codes.check(user, params.token, query.action);
				if (result === 'used') throw new TwoFactorError('60019');
				if (result === 'wrong') throw new TwoFactorError('60020');
				user.confirmed = true;
			}
			statistics.count('auths');
			return {
				status: 200,
				body: {
					message: 'Token is valid.',
					token: 'is valid',
					success: 'true',
					device: presentDevice(user),
				},
			};
		},
	};
}

function presentDevice({ device, hasCodesInApp }: User) {
	if (!device || !hasCodesInApp) return {};
	const seconds = Math.floor(device.since / 1000);
	return {
		id: device.id,
		os_type: device.os,
		registration_method: 'sms',
		registration_date: seconds,
		last_sync_date: seconds,
	};
}
