import type { IDataObject } from 'n8n-workflow';

import type { ItemCall } from '../../engine/operation';
import { shorten } from '../../engine/values/convert';
import { isBlank } from '../../engine/values/texts';
import { textOf } from '../form/readForm';
import { readCheckIns, readRegistrations } from './completeLists';

/**
 * The registrations of an event, and which of the registered people have checked in to the event or to one of its sessions.
 */
export interface Presence {
	/** All registrations, canceled ones included. */
	registrations: IDataObject[];
	checkIns: IDataObject[];
	hasCheckedIn: (registration: IDataObject) => boolean;
}

/** Returns a registration's status for comparisons: services write both "Canceled" and "Cancelled", in any case. */
export const comparableStatus = (status: unknown): string =>
	textOf(status).trim().toLowerCase().replace('cancelled', 'canceled');

export const isCanceled = ({ RegistrationStatus }: IDataObject): boolean =>
	comparableStatus(RegistrationStatus).startsWith('canceled');

/** Words in the statuses of people who have a registration, in any state of it. The contract leaves the words open. */
const KNOWN_STATUS =
	/^$|confirm|regist|attend|approv|accept|active|pending|wait|invit|complete|paid|checked|cancel|declin|deleted|new|open|guest|in progress|tentative|no.?show/i;

const MAX_LISTED = 5;

/** Returns the code that joins check-ins to registrations; empty if the record has none. */
export const confirmationCode = ({ ConfirmationCode }: IDataObject): string =>
	textOf(ConfirmationCode).trim().toUpperCase();

/**
 * Reads who is registered and who has checked in. One check-in per person is enough, whether they left again or not. Check-ins to
 * sessions do not count for the event, and those to the event do not count for a session: the service lists them apart.
 */
export async function readPresence(
	call: ItemCall,
	eventId: string,
	sessionId?: string,
): Promise<Presence> {
	const registrations = await readRegistrations(call, eventId);
	// Read second, so that a person who checks in between the two reads is not reported as missing.
	const entries = await readCheckIns(call, eventId, sessionId);
	// An entry without a time is not a check-in; a service that does not send the field lists check-ins only.
	const checkIns = entries.filter(
		(entry) => !('CheckInDateTime' in entry) || !isBlank(entry.CheckInDateTime),
	);
	const codes = new Set(checkIns.map(confirmationCode).filter(Boolean));
	return {
		registrations,
		checkIns,
		hasCheckedIn: (registration) => codes.has(confirmationCode(registration)),
	};
}

/** Reports statuses that may mean that people have canceled, in words that are unknown. */
export function hintAtUnknownStatuses(
	call: ItemCall,
	eventId: string,
	registered: IDataObject[],
): void {
	const texts = registered.map(({ RegistrationStatus }) => textOf(RegistrationStatus).trim());
	const unknown = [...new Set(texts.filter((text) => !KNOWN_STATUS.test(text)))];
	if (unknown.length === 0) return;
	const listed = unknown.slice(0, MAX_LISTED).map((text) => `"${shorten(text)}"`);
	call.hint(
		`Event ${eventId}: registrations with the unknown status ${listed.join(', ')} count as not canceled. To count others, use Get Missing with 'Registration Statuses'.`,
	);
}

/** Reports check-ins and registrations whose confirmation codes leave unclear which registered people have checked in. */
export function hintAtUnclearCodes(
	call: ItemCall,
	eventId: string,
	registered: IDataObject[],
	{ checkIns }: Presence,
): void {
	const hint = (count: number, singular: string, plural: string) => {
		if (count > 0) call.hint(`Event ${eventId}: ${count} ${count === 1 ? singular : plural}`);
	};
	const withoutCode = (records: IDataObject[]) =>
		records.filter((record) => confirmationCode(record) === '').length;
	const countByCode = new Map<string, number>();
	for (const code of registered.map(confirmationCode)) {
		if (code !== '') countByCode.set(code, (countByCode.get(code) ?? 0) + 1);
	}
	const sharedCodeCounts = [...countByCode.values()].filter((count) => count > 1);
	hint(
		withoutCode(checkIns),
		'check-in has no confirmation code, so it may belong to someone who counts as missing here. The attendance list shows the name.',
		'check-ins have no confirmation code, so they may belong to people who count as missing here. The attendance list shows their names.',
	);
	hint(
		withoutCode(registered),
		'registration has no confirmation code, so this person counts as missing even after checking in.',
		'registrations have no confirmation code, so these people count as missing even after checking in.',
	);
	const sharingCount = sharedCodeCounts.reduce((sum, count) => sum + count, 0);
	if (sharingCount > 0) {
		call.hint(
			`Event ${eventId}: ${sharingCount} registrations share their confirmation code with others, so one check-in counts for everyone who has the same code.`,
		);
	}
}
