import type { HandlerResponse, ServiceRequest, Handler } from '../service';
import { TwoFactorError } from './errors';
import { formatCodeMessage, deliverMessage } from './messages';
import { getCarrierName, checkDeliverable, isLandline, requirePhoneNumber } from './phoneNumbers';
import type { TwoFactorState } from './state';
import { computeSecondsUntil } from './verifications';

type StartRequest = ServiceRequest<
	object,
	object,
	{
		phone_number: string;
		country_code: string | number;
		via?: 'sms' | 'call';
		locale?: string;
		code_length?: number;
		custom_code?: string;
	}
>;
type CheckRequest = ServiceRequest<
	object,
	{ phone_number: string; country_code: string | number; verification_code: string }
>;

/** Handlers of the resource Phone Verification. */
export function verificationHandlers(state: TwoFactorState): Record<string, Handler> {
	const { world, verifications, statistics } = state;
	return {
		startPhoneVerification({ body }: StartRequest): HandlerResponse {
			const { phone_number, country_code, via = 'sms', locale, code_length, custom_code } = body;
			const number = requirePhoneNumber(country_code, phone_number);
			checkDeliverable(number, via);
			const { uuid, code, until } = verifications.start(number, code_length, custom_code);
			deliverMessage(world, via, number, formatCodeMessage(code, locale), code);
			statistics.count(via === 'sms' ? 'sms' : 'calls');
			const displayedNumber = `+${country_code} ${phone_number}`;
			return {
				status: 200,
				body: {
					message:
						via === 'sms'
							? `Text message sent to ${displayedNumber}.`
							: `Call to ${displayedNumber} initiated.`,
					carrier: getCarrierName(number),
					is_cellphone: !isLandline(number),
					seconds_to_expire: computeSecondsUntil(until, world.now()),
					uuid,
					success: true,
				},
			};
		},

		checkPhoneVerification({ query }: CheckRequest): HandlerResponse {
			const { phone } = requirePhoneNumber(query.country_code, query.phone_number);
			const result = verifications.check(phone, query.verification_code);
			if (result === 'none') throw new TwoFactorError('60023');
			if (result === 'incorrect') throw new TwoFactorError('60022');
			return { status: 200, body: { message: 'Verification code is correct.', success: true } };
		},
	};
}
