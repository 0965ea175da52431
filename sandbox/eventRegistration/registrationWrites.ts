import type { FieldProblems } from '../controlError';
import type { DemoEvent } from '../demoData';
import { formatStatus } from '../deskBus';
import type { WriteContext } from '../deskBus';
import type { World } from '../service';
import { checkForm, isEmail, mergeCustomFields } from './checkForm';
import { formatFullName, toIsoTime } from './records';
import type { Registration, RegistrationInput } from './records';
import { invalid } from './responses';
import type { Store } from './store';

/** States of a registration. */
export const registrationStatuses = ['Confirmed', 'Pending', 'Waitlisted', 'Cancelled'] as const;

const CODE_LENGTH = 8;
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

function rejectIfInvalid(event: DemoEvent, input: RegistrationInput, isPartial: boolean): void {
	const problems: FieldProblems = checkForm(event.form, { ...input }, { isPartial });
	const { RegistrationTypeId: typeId, RegistrationManagerEmail: managerEmail } = input;
	if (typeId !== undefined && !event.types.some(({ id }) => id === typeId)) {
		problems.RegistrationTypeId = [`There is no registration type ${typeId} in event ${event.id}.`];
	}
	if (managerEmail && !isEmail(managerEmail)) {
		problems.RegistrationManagerEmail = ['The field is not a valid email address.'];
	}
	if (Object.keys(problems).length > 0) throw invalid(problems);
}

/** Write operations on registrations, shared by the API and the desk. */
export function registrationWrites(store: () => Store, world: World) {
	/** Delivers the mail requested by SendEmails to the phone, which shows how often it was sent. */
	const sendMail = (event: DemoEvent, registration: Registration, text: string, now: number) => {
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
		register(event: DemoEvent, input: RegistrationInput, context: WriteContext): Registration {
			rejectIfInvalid(event, input, false);
			const id = store().newId('registration');
			const registration: Registration = {
				RegistrationId: id,
				Id: String(id),
				MobilePhone: '',
				RegistrationTypeId: event.types[0]!.id,
				RegistrationManagerEmail: '',
				SendEmails: false,
				...input,
				CustomFields: mergeCustomFields([], input.CustomFields),
				RegistrationStatus: 'Confirmed',
				RegistrationDate: toIsoTime(context.now),
				ConfirmationCode: world.random.text(CODE_LENGTH, CODE_ALPHABET),
				HostRegistrationId: null,
				LastUpdated: toIsoTime(context.now),
			};
			store().registrations.add(event.index, registration);
			sendMail(
				event,
				registration,
				`You are registered: ${registration.ConfirmationCode}`,
				context.now,
			);
			store().publish(context, `${formatFullName(registration)} was registered`, { event });
			return registration;
		},

		change(
			event: DemoEvent,
			registration: Registration,
			input: RegistrationInput,
			context: WriteContext,
		): Registration {
			rejectIfInvalid(event, input, true);
			const CustomFields = mergeCustomFields(registration.CustomFields, input.CustomFields);
			Object.assign(registration, input, { CustomFields, LastUpdated: toIsoTime(context.now) });
			if (input.SendEmails)
				sendMail(event, registration, 'Your registration was changed', context.now);
			store().publish(context, `The registration of ${formatFullName(registration)} was changed`, {
				event,
			});
			return registration;
		},

		setStatus(
			event: DemoEvent,
			registration: Registration,
			status: (typeof registrationStatuses)[number],
			context: WriteContext,
		): Registration {
			registration.RegistrationStatus = status;
			registration.LastUpdated = toIsoTime(context.now);
			const text = `The registration of ${formatFullName(registration)} is ${formatStatus(status)} now`;
			store().publish(context, text, { event });
			return registration;
		},
	};
}
