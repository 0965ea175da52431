import type { IDataObject } from 'n8n-workflow';

import { field, optional } from '../../engine/field';
import type { FieldValue } from '../../engine/field';
import { missingValueError } from '../../engine/http/path';
import { operation } from '../../engine/operation';
import type { ItemCall } from '../../engine/operation';
import { isSameId, shorten } from '../../engine/values/convert';
import { eventId, filters, sessionId } from '../fields';
import { registrationShape } from '../records';
import {
	comparableStatus,
	hintAtUnclearCodes,
	hintAtUnknownStatuses,
	isCanceled,
	readPresence,
} from '../reports/presence';
import { criterionReader, registrationTypeCriterion } from '../search';

const registrationStatuses = field({
	displayName: 'Registration Statuses',
	name: 'registrationStatuses',
	type: 'string',
	default: '',
	placeholder: 'e.g. Confirmed, Pending',
	description:
		'The statuses to include, as in RegistrationStatus, separated by commas. Without this filter, everyone who has not canceled is included, also pending and waitlisted people.',
	read: (raw) => {
		const statuses = criterionReader('Registration Statuses')(raw)
			.split(',')
			.map((status) => status.trim())
			.filter((status) => status !== '');
		// Without any status, no registration would match, and it would seem that no one is missing.
		if (statuses.length === 0) throw missingValueError('Registration Statuses');
		return statuses;
	},
	readWhenBlank: true,
});

const missingFilters = filters([
	registrationStatuses,
	{ ...registrationTypeCriterion, target: undefined },
	optional(sessionId, {
		target: undefined,
		rejectBlank: true,
		description:
			'List who has not checked in to this session. Without this filter, only check-ins to the event itself count, not those to its sessions.',
	}),
]);

type Filters = NonNullable<FieldValue<typeof missingFilters>>;

export const getMissing = operation({
	name: 'Get Missing',
	action: 'Get who is missing from an event',
	description: 'List who is registered, has not canceled, and has not checked in',
	fields: { eventId, filters: missingFilters },
	idempotent: true,
	returnsList: true,
	run: async ({ eventId: id, filters = {} }, call) => {
		const presence = await readPresence(call, id, filters.sessionId);
		const registered = presence.registrations.filter(
			(registration) => hasStatus(registration, filters) && hasType(registration, filters),
		);
		hintAtFilters(call, id, presence.registrations, filters);
		hintAtUnclearCodes(call, id, registered, presence);
		if (!filters.registrationStatuses) hintAtUnknownStatuses(call, id, registered);
		return registered.filter((registration) => !presence.hasCheckedIn(registration));
	},
	...registrationShape,
});

const hasStatus = (registration: IDataObject, { registrationStatuses: selected }: Filters) =>
	selected?.map(comparableStatus).includes(comparableStatus(registration.RegistrationStatus)) ??
	!isCanceled(registration);

const hasType = ({ RegistrationTypeId }: IDataObject, { registrationTypeId: selected }: Filters) =>
	selected === undefined || isSameId(RegistrationTypeId, selected);

/**
 * Reports filters that match no registration. Without this hint, a typing error would look like an event where no one is
 * missing.
 */
function hintAtFilters(
	call: ItemCall,
	id: string,
	registrations: IDataObject[],
	filters: Filters,
): void {
	if (registrations.length === 0)
		return call.hint(`Event ${id} has no registrations yet, so no one is missing.`);
	const statuses = new Map(
		registrations.map(({ RegistrationStatus: status }) => [comparableStatus(status), status]),
	);
	for (const status of filters.registrationStatuses ?? []) {
		if (statuses.has(comparableStatus(status))) continue;
		call.hint(
			`Event ${id} has no registration with the status "${shorten(status)}". Correct it in 'Registration Statuses': the statuses there are ${[...statuses.values()].filter(Boolean).join(', ')}.`,
		);
	}
	if (!registrations.some((registration) => hasType(registration, filters))) {
		call.hint(
			`Event ${id} has no registration of the chosen type, so no one is missing. If that is a surprise, choose another 'Registration Type'.`,
		);
	}
}
