import type { World } from '../service';
import type { PhoneNumber } from './phoneNumbers';

const codeMessages: Record<string, string> = {
	en: 'Your Gatehouse code is {code}.',
	de: 'Ihr Gatehouse-Code lautet {code}.',
	es: 'Su código de Gatehouse es {code}.',
	fr: 'Votre code Gatehouse est {code}.',
	pt: 'O seu código Gatehouse é {code}.',
};

/** Returns the text of a message with a code, in the locale's language if there is a translation, else in English. */
export function formatCodeMessage(code: string, locale = 'en', purpose?: string): string {
	const language = locale.slice(0, 2).toLowerCase();
	const text = (codeMessages[language] ?? codeMessages.en!).replace('{code}', code);
	return purpose === undefined ? text : `${purpose}: ${text}`;
}

/** Sends an SMS or a call: the phone with this number shows it. */
export function deliverMessage(
	world: World,
	via: 'sms' | 'call',
	{ phone }: PhoneNumber,
	text: string,
	code?: string,
): void {
	world.phone.deliver({
		kind: via,
		id: world.random.uuid(),
		at: world.now(),
		to: { phone },
		from: 'Gatehouse',
		text,
		code,
	});
}
