/** States of an attendee. */
export const attendeeStatuses = ['registered', 'confirmed', 'cancelled'] as const;
export type AttendeeStatus = (typeof attendeeStatuses)[number];
/** States of a registration. */
export const registrationStatuses = ['pending', 'confirmed', 'cancelled'] as const;
export type RegistrationStatus = (typeof registrationStatuses)[number];

/** What a write of an attendee carries. */
export interface AttendeeInput {
	eventId: string;
	firstName: string;
	lastName: string;
	email: string;
	company?: string;
	status?: AttendeeStatus;
}

/** An attendee as the service shows it. */
export interface Attendee extends AttendeeInput {
	id: string;
	checkInTime: string | null;
	createdAt: string;
}

/** What a write of a session carries. */
export interface SessionInput {
	eventId: string;
	title: string;
	startTime: string;
	endTime: string;
	description?: string;
	speaker?: string;
	location?: string;
	capacity?: number;
}

/** A session as the service shows it. */
export interface Session extends SessionInput {
	id: string;
	createdAt: string;
}

/** What a new registration carries. */
export interface RegistrationInput {
	eventId: string;
	attendeeId: string;
}

/** A registration as the service shows it. */
export interface Registration extends RegistrationInput {
	id: string;
	status: RegistrationStatus;
	registrationDate: string;
	createdAt: string;
}

/** A time as the service writes it: always UTC with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
