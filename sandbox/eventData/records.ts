/** States of an attendee. */
export const attendeeStatuses = ['registered', 'confirmed', 'cancelled'] as const;
type AttendeeStatus = (typeof attendeeStatuses)[number];
/** States of a registration. */
export const registrationStatuses = ['pending', 'confirmed', 'cancelled'] as const;
export type RegistrationStatus = (typeof registrationStatuses)[number];

/** Input of a write of an attendee. */
export interface AttendeeInput {
	eventId: string;
	firstName: string;
	lastName: string;
	email: string;
	company?: string;
	status?: AttendeeStatus;
}

/** An attendee as the service returns it. */
export interface Attendee extends AttendeeInput {
	id: string;
	checkInTime: string | null;
	createdAt: string;
}

/** Input of a write of a session. */
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

/** A session as the service returns it. */
export interface Session extends SessionInput {
	id: string;
	createdAt: string;
}

/** Input of a new registration. */
export interface RegistrationInput {
	eventId: string;
	attendeeId: string;
}

/** A registration as the service returns it. */
export interface Registration extends RegistrationInput {
	id: string;
	status: RegistrationStatus;
	registrationDate: string;
	createdAt: string;
}

/** Formats a time as the service does: always UTC with milliseconds. */
export const toIsoTime = (ms: number): string => new Date(ms).toISOString();
