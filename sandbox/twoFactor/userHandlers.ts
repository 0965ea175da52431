import type { HandlerResponse, ServiceRequest, Handler } from '../service';
import { TwoFactorError } from './errors';
import { deliverMessage } from './messages';
import { checkDeliverable, maskNationalNumber, parsePhoneNumber } from './phoneNumbers';
import type { TwoFactorState } from './state';

type UserRequest = ServiceRequest<{ twofactor_id: string }>;
type EnrollRequest = ServiceRequest<
	object,
	object,
	{
		user: { email: string; cellphone: string; country_code: string | number };
		send_install_link_via_sms?: boolean;
	}
>;

/** Handlers of the resource User. */
export function userHandlers(state: TwoFactorState): Record<string, Handler> {
	const { world, users, statistics } = state;
	return {
		enrollUser({ body }: EnrollRequest): HandlerResponse {
			const { email, cellphone, country_code } = body.user;
			const number = parsePhoneNumber(country_code, cellphone);
			if (!number) throw new TwoFactorError('60027', { cellphone: 'is invalid' });
			if (body.send_install_link_via_sms) checkDeliverable(number, 'sms');
			const { user, isNew } = users.enroll(email, number);
			if (isNew) statistics.count('users');
			if (body.send_install_link_via_sms) {
				deliverMessage(
					world,
					'sms',
					number,
					'Get the Gatehouse app: https://app.example.com/install',
				);
				statistics.count('sms');
			}
			return {
				status: 200,
				body: {
					user: { id: state.showId(user.id) },
					message: 'User created successfully.',
					success: true,
				},
			};
		},

		getUserStatus({ params }: UserRequest): HandlerResponse {
			const { id, confirmed, device, number, deletedAt } = users.get(params.twofactor_id);
			return {
				status: 200,
				body: {
					status: {
						twofactor_id: state.showId(id),
						confirmed,
						registered: device !== undefined,
						country_code: Number(number.countryCode),
						phone_number: maskNationalNumber(number),
						devices: device ? [device.os] : [],
						has_hard_token: false,
						account_disabled: deletedAt !== undefined,
					},
					message: 'User status.',
					success: true,
				},
			};
		},

		deleteUser({ params }: UserRequest): HandlerResponse {
			users.delete(users.get(params.twofactor_id));
			return {
				status: 200,
				body: { message: 'User removed from application.', success: true },
			};
		},
	};
}
