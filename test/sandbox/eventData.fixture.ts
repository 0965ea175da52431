import type { AxiosInstance } from 'axios';

import type { Json } from './eventClients';

const times = { startTime: '2031-05-05T09:00:00Z', endTime: '2031-05-05T10:00:00Z' };
export const attendee = {
	eventId: 'evt_1004',
	firstName: 'Zoë',
	lastName: "O'Hara",
	email: 'zoe@a.example',
};
export const session = { eventId: 'evt_1004', title: 'Doors', ...times };

/** Finds an attendee of an event who has a registration, and returns both IDs. */
export async function findRegisteredAttendee(
	http: AxiosInstance,
	eventId: string,
): Promise<{ attendeeId: string; registrationId: string }> {
	const { data } = await http.get<Json[]>('/registrations', { params: { eventId } });
	return { attendeeId: data[0]!.attendeeId as string, registrationId: data[0]!.id as string };
}
