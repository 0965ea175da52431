import { join } from 'node:path';

import type { HandlerResponse, ServiceRequest, Handler, Lenience } from '../service';
import { TwoFactorError } from './errors';
import { getCarrierName, isLandline, requirePhoneNumber } from './phoneNumbers';
import type { TwoFactorState } from './state';
import { computeSecondsUntil } from './verifications';

type PhoneRequest = ServiceRequest<object, { phone_number: string; country_code: string | number }>;
type UserRequest = ServiceRequest<{ twofactor_id: string }>;

const OTHER_KEY_HEADER = /^x-[a-z0-9]+-api-key$/;

/** Requests of older two-factor clients, which our nodes never send. */
export function supportOlderClients(
	state: TwoFactorState,
): Lenience & { handlers: Record<string, Handler> } {
	const { world, users, verifications } = state;
	return {
		aliases: {
			'/protected/json/users/{twofactor_id}/remove': 'deleteUser',
			'/protected/json/users/delete/{twofactor_id}': 'deleteUser',
		},
		contract: join(__dirname, 'olderClients.yaml'),
		forms: true,
		keyHeaders(headers, { api_key }) {
			const expectedHeader = world.demo.twoFactor.headerName.toLowerCase();
			const otherHeader = Object.keys(headers).find((name) => OTHER_KEY_HEADER.test(name));
			if (headers[expectedHeader] !== undefined) return headers;
			const key = typeof api_key === 'string' ? api_key : otherHeader && headers[otherHeader];
			return { ...headers, [expectedHeader]: key };
		},
		handlers: {
			getPhoneInformation({ query, now }: PhoneRequest): HandlerResponse {
				const number = requirePhoneNumber(query.country_code, query.phone_number);
				const [date, time] = new Date(now).toISOString().split(/[T.]/);
				return {
					status: 200,
					body: {
						message: `Phone number information as of ${date} ${time} UTC`,
						type: isLandline(number) ? 'landline' : 'cellphone',
						provider: getCarrierName(number),
						ported: false,
						success: true,
					},
				};
			},

			getPhoneVerificationStatus({ query, now }: PhoneRequest): HandlerResponse {
				const { phone } = requirePhoneNumber(query.country_code, query.phone_number);
				const status = verifications.findStatus(phone);
				if (!status) throw new TwoFactorError('60023');
				const until = verifications.find(phone)?.until ?? now;
				return {
					status: 200,
					body: {
						message: 'Phone Verification status.',
						status,
						seconds_to_expire: computeSecondsUntil(until, now),
						success: true,
					},
				};
			},

			// Activities are not stored: no operation reads them.
			registerActivity({ params }: UserRequest): HandlerResponse {
				users.getActive(params.twofactor_id);
				return { status: 200, body: { message: 'Activity was created.', success: true } };
			},
		},
	};
}
