import type { DemoEvent } from '../demoData';
import type { Answer, Call, Handler, Settings, World } from '../service';
import { invalid, later, many, one } from './answers';
import type { ModelState, PageQuery } from './answers';
import { checkForm, isEmail, mergeCustom } from './checks';
import { shapeForm } from './forms';
import { replaceOptions } from './options';
import type { ReplaceOptions } from './options';
import { iso } from './records';
import type { Registration, RegistrationInput } from './records';
import { search } from './search';
import type { Criteria } from './search';
import type { Store } from './store';

interface EventParams {
	eventId: number;
}
interface RegistrationParams extends EventParams {
	registrationId: number;
}

const properties = [
	'RegistrationId',
	'FirstName',
	'LastName',
	'Email',
	'MobilePhone',
	'RegistrationTypeId',
	'RegistrationManagerEmail',
	'RegistrationStatus',
	'ConfirmationCode',
	'HostRegistrationId',
];

function check(event: DemoEvent, input: RegistrationInput, partial: boolean): void {
	const wrong: ModelState = checkForm(event.form, { ...input }, { partial });
	const { RegistrationTypeId: typeId, RegistrationManagerEmail: manager } = input;
	if (typeId !== undefined && !event.types.some(({ id }) => id === typeId)) {
		wrong.RegistrationTypeId = [`There is no registration type ${typeId} in event ${event.id}.`];
	}
	if (manager && !isEmail(manager)) {
		wrong.RegistrationManagerEmail = ['The field is not a valid email address.'];
	}
	if (Object.keys(wrong).length > 0) throw invalid(wrong);
}

/** Operations on the registrations of an event, their form and their options. */
export function registrationHandlers(
	store: () => Store,
	settings: Settings,
	world: World,
): Record<string, Handler> {
	/** The mail that SendEmails asks for, so that the phone shows how often it went out. */
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
	const find = ({ eventId, registrationId }: RegistrationParams) => {
		const event = store().event(eventId);
		return { event, registration: store().registration(event, registrationId) };
	};

	return {
		getManyRegistrations({
			params,
			query,
		}: Call<EventParams, PageQuery & { lastUpdatedAfter?: string }>): Answer {
			const all = store().registrations.list(store().event(params.eventId).index);
			return many(
				settings,
				query,
				later(all, query.lastUpdatedAfter, (it) => it.LastUpdated),
			);
		},
		createRegistration({ params, body, now }: Call<EventParams, object, RegistrationInput>) {
			const event = store().event(params.eventId);
			check(event, body, false);
			const id = store().newId('registration');
			const registration: Registration = {
				RegistrationId: id,
				Id: String(id),
				MobilePhone: '',
				RegistrationTypeId: event.types[0]!.id,
				RegistrationManagerEmail: '',
				SendEmails: false,
				...body,
				CustomFields: mergeCustom([], body.CustomFields),
				RegistrationStatus: 'Confirmed',
				RegistrationDate: iso(now),
				ConfirmationCode: world.random.text(8, 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'),
				HostRegistrationId: null,
				LastUpdated: iso(now),
			};
			store().registrations.add(event.index, registration);
			mail(event, registration, `You are registered: ${registration.ConfirmationCode}`, now);
			return one(settings, registration);
		},
		getRegistrationForm({ params }: Call<EventParams>) {
			const { form } = store().event(params.eventId);
			return { status: 200, body: shapeForm(form, settings.formShape) };
		},
		searchRegistrations({ params, query, body }: Call<EventParams, PageQuery, Criteria>) {
			const event = store().event(params.eventId);
			const all = store().registrations.list(event.index);
			return many(settings, query, search(all, event.form, properties, body));
		},
		getRegistration({ params }: Call<RegistrationParams>) {
			return one(settings, find(params).registration);
		},
		updateRegistration({ params, body, now }: Call<RegistrationParams, object, RegistrationInput>) {
			const { event, registration } = find(params);
			check(event, body, true);
			const CustomFields = mergeCustom(registration.CustomFields, body.CustomFields);
			Object.assign(registration, body, { CustomFields, LastUpdated: iso(now) });
			if (body.SendEmails) mail(event, registration, 'Your registration was changed', now);
			return one(settings, registration);
		},
		getRegistrationOptions({ params, query }: Call<RegistrationParams, PageQuery>) {
			const { event, registration } = find(params);
			const current = store().salesOf(event, registration.RegistrationId).at(-1);
			return many(settings, query, current?.items ?? []);
		},
		replaceRegistrationOptions({
			params,
			body,
			now,
		}: Call<RegistrationParams, object, ReplaceOptions>) {
			const { event, registration } = find(params);
			return one(settings, replaceOptions(store(), event, registration, body, now));
		},
	};
}
