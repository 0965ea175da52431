import type { DemoEvent } from '../demoData';
import type { CheckIn } from './attendance';
import { toIsoTime } from './records';
import type { Store } from './store';

/** Returns an event as the service shows it. */
export const showEvent = (store: Store, event: DemoEvent) => ({
	EventId: event.id,
	Id: String(event.id),
	Name: event.name,
	StartDate: toIsoTime(event.startsAt),
	EndDate: toIsoTime(event.endsAt),
	TimeZoneOffset: event.offset,
	RegistrationCount: store.registrations.size(event.index),
	LastUpdated: toIsoTime(event.updatedAt),
});

/** Returns a check-in as the service shows it, with the title of the session if it belongs to one. */
export const showCheckIn = (event: DemoEvent, title?: string) => (checkIn: CheckIn) => {
	const { id, registration } = checkIn;
	const type = event.types.find((candidate) => candidate.id === registration.RegistrationTypeId);
	return {
		CheckInLogId: id,
		Id: String(id),
		CheckInDateTime: checkIn.in,
		CheckOutDateTime: checkIn.out,
		FirstName: registration.FirstName,
		LastName: registration.LastName,
		Email: registration.Email,
		RegistrationType: type?.name ?? '',
		ConfirmationCode: registration.ConfirmationCode,
		CustomFields: registration.CustomFields,
		...(title !== undefined && { SessionTitle: title }),
	};
};
