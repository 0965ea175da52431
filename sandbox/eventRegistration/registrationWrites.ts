import type { FieldProblems } from '../controlError';
import type { DemoEvent } from '../demoData';
import { statusWord } from '../deskBus';
import type { Act } from '../deskBus';
import type { World } from '../service';
import { checkForm, isEmail, mergeCustom } from './checks';
import { fullName, iso } from './records';
import type { Registration, RegistrationInput } from './records';
import { invalid } from './responses';
import type { Store } from './store';

/** States of a registration. */
export const registrationStatuses = ['Confirmed', 'Pending', 'Waitlisted', 'Cancelled'] as const;

const CODE_LENGTH = 8;
const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

function check(event: DemoEvent, input: RegistrationInput, partial: boolean): void {
	const wrong: FieldProblems = checkForm(event.form, { ...input }, { partial });
	const { RegistrationTypeId: typeId, RegistrationManagerEmail: manager } = input;
	if (typeId !== undefined && !event.types.some(({ id }) => id === typeId)) {
		wrong.RegistrationTypeId = [`There is no registration type ${typeId} in event ${event.id}.`];
	}
	if (manager && !isEmail(manager)) {
		wrong.RegistrationManagerEmail = ['The field is not a valid email address.'];
	}
	if (Object.keys(wrong).length > 0) throw invalid(wrong);
}

/** Write operations on registrations, shared by the API and the desk. */
export function registrationWrites(store: () => Store, world: World) {
	/** Delivers the mail requested by SendEmails to the phone, which shows how often it was sent. */
	const mail = (event: DemoEvent, registration: Registration, text: string, now: number) => {
		if (!registration.SendEmails || !registration.Email) return;
		world.phone.deliver({
			kind: 'mail',
			id: `registration-${registration.RegistrationId}-${world.random.text(8)}`,
			at: now,
			to: { email: registration.Email },
			from: event.name,
			text,
		});
	};

	return {
		register(event: DemoEvent, input: RegistrationInput, act: Act): Registration {
			check(event, input, false);
			const id = store().newId('registration');
			const registration: Registration = {
				RegistrationId: id,
				Id: String(id),
				MobilePhone: '',
				RegistrationTypeId: event.types[0]!.id,
				RegistrationManagerEmail: '',
				SendEmails: false,
				...input,
				CustomFields: mergeCustom([], input.CustomFields),
				RegistrationStatus: 'Confirmed',
				RegistrationDate: iso(act.now),
				ConfirmationCode: world.random.text(CODE_LENGTH, codeLetters),
				HostRegistrationId: null,
				LastUpdated: iso(act.now),
			};
			store().registrations.add(event.index, registration);
			mail(event, registration, `You are registered: ${registration.ConfirmationCode}`, act.now);
			store().publish(act, `${fullName(registration)} was registered`, { event });
			return registration;
		},

		change(
			event: DemoEvent,
			registration: Registration,
			input: RegistrationInput,
			act: Act,
		): Registration {
			check(event, input, true);
			const CustomFields = mergeCustom(registration.CustomFields, input.CustomFields);
			Object.assign(registration, input, { CustomFields, LastUpdated: iso(act.now) });
			if (input.SendEmails) mail(event, registration, 'Your registration was changed', act.now);
			store().publish(act, `The registration of ${fullName(registration)} was changed`, { event });
			return registration;
		},

		setStatus(
			event: DemoEvent,
			registration: Registration,
			status: (typeof registrationStatuses)[number],
			act: Act,
		): Registration {
			registration.RegistrationStatus = status;
			registration.LastUpdated = iso(act.now);
			const text = `The registration of ${fullName(registration)} is ${statusWord(status)} now`;
			store().publish(act, text, { event });
			return registration;
		},
	};
}
