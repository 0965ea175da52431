import type { HandlerResponse, ServiceRequest, Handler } from '../service';
import { Failure } from './failures';
import { codeText, deliver } from './messages';
import { carrierOf, checkDeliverable, isLandline, readPhone } from './numbers';
import type { State } from './state';
import { secondsUntil } from './verifications';

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
export function verificationHandlers(state: State): Record<string, Handler> {
	const { world, verifications, statistics } = state;
	return {
		startPhoneVerification({ body }: StartRequest): HandlerResponse {
			const { phone_number, country_code, via = 'sms', locale, code_length, custom_code } = body;
			const number = readPhone(country_code, phone_number);
			checkDeliverable(number, via);
			const { uuid, code, until } = verifications.start(number, code_length, custom_code);
			deliver(world, via, number, codeText(code, locale), code);
			statistics.count(via === 'sms' ? 'sms' : 'calls');
			const shown = `+${country_code} ${phone_number}`;
			return {
				status: 200,
				body: {
					message: via === 'sms' ? `Text message sent to ${shown}.` : `Call to ${shown} initiated.`,
					carrier: carrierOf(number),
					is_cellphone: !isLandline(number),
					seconds_to_expire: secondsUntil(until, world.now()),
					uuid,
					success: true,
				},
			};
		},

		checkPhoneVerification({ query }: CheckRequest): HandlerResponse {
			const { phone } = readPhone(query.country_code, query.phone_number);
			const result = verifications.check(phone, query.verification_code);
			if (result === 'none') throw new Failure('60023');
			if (result === 'incorrect') throw new Failure('60022');
			return { status: 200, body: { message: 'Verification code is correct.', success: true } };
		},
	};
}
