import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import { toPathSegment } from '../../engine/http/path';
import { oneRecord } from '../../engine/http/records';
import type { ItemCall } from '../../engine/operation';
import { groupBy } from '../../engine/values/groupBy';
import { MAX_UTC_OFFSET_MS, readRecordTime } from '../../engine/values/recordTime';
import { textOf } from '../form/readForm';
import { lists } from '../lists';
import { eventShape } from '../records';
import { lookUpTypeNames } from '../typeNames';
import { readTransactions } from './completeLists';
import { totalsByCurrency } from './payments';
import {
	confirmationCode,
	hintAtUnclearCodes,
	hintAtUnknownStatuses,
	isCanceled,
	readPresence,
} from './presence';
import type { Presence } from './presence';

/**
 * Returns the summary of an event. `registered` counts people who have not canceled. Payments and refunds are those of all
 * registrations, canceled ones included.
 */
export async function summarize(
	call: ItemCall,
	eventId: string,
	since?: string,
): Promise<IDataObject> {
	const event = await readEvent(call, eventId);
	const presence = await readPresence(call, eventId);
	const transactions = await readTransactions(call, eventId);
	const { registrations, checkIns } = presence;
	const registered = registrations.filter((registration) => !isCanceled(registration));
	const checkedIn = registered.filter(presence.hasCheckedIn).length;
	const codes = new Set(registered.map(confirmationCode).filter(Boolean));
	const { byCurrency, unreadable } = totalsByCurrency(transactions);
	hintAtUnclearCodes(call, eventId, registered, presence);
	hintAtUnknownStatuses(call, eventId, registered);
	if (unreadable > 0) {
		call.hint(
			unreadable === 1
				? `Event ${eventId}: 1 payment or refund isn't in any sum, since its amount can't be read. Check it with Transaction: Get Many for Event.`
				: `Event ${eventId}: ${unreadable} payments or refunds aren't in any sum, since their amounts can't be read. Check them with Transaction: Get Many for Event.`,
		);
	}
	const { EventId, Name, StartDate, EndDate } = eventShape.transformRecord(event);
	return {
		EventId,
		Name,
		StartDate,
		EndDate,
		registered: registered.length,
		canceled: registrations.length - registered.length,
		...(since !== undefined && {
			newRegistrations: countSince(call, eventId, registered, Date.parse(since)),
		}),
		checkedIn,
		missing: registered.length - checkedIn,
		unmatchedCheckIns: checkIns.filter((entry) => !codes.has(confirmationCode(entry))).length,
		byType: await byType(call, eventId, registered, presence),
		byStatus: byStatus(registrations),
		byCurrency,
	};
}

async function readEvent(call: ItemCall, eventId: string): Promise<IDataObject> {
	const { recordPath: path } = lists.events;
	const { body } = await call.send({
		method: 'GET',
		path,
		params: { eventId: toPathSegment('Event', eventId) },
		requiredContent: 'record',
		identify: eventShape.identify,
	});
	return oneRecord(body, path).record ?? {};
}

/**
 * Counts the registrations made since a time. A date without a zone is read as UTC. The trigger adds a margin for any zone
 * so that it misses nothing. A count must not add a margin.
 */
function countSince(call: ItemCall, eventId: string, registered: IDataObject[], sinceMs: number) {
	const times = registered.map((registration) => {
		const time = readRecordTime(registration, ['RegistrationDate']);
		return time ? time.latest - (time.exact ? 0 : MAX_UTC_OFFSET_MS) : NaN;
	});
	const unclear = registered.filter((registration, index) => {
		const isExact = readRecordTime(registration, ['RegistrationDate'])?.exact;
		return isExact === false && Math.abs(times[index]! - sinceMs) <= MAX_UTC_OFFSET_MS;
	}).length;
	if (unclear > 0) {
		call.hint(
			unclear === 1
				? `Event ${eventId}: 1 registration date close to 'New Since' has no time zone and was read as UTC.`
				: `Event ${eventId}: ${unclear} registration dates close to 'New Since' have no time zone and were read as UTC.`,
		);
	}
	const undated = times.filter(Number.isNaN).length;
	if (undated > 0) {
		call.hint(
			undated === 1
				? `Event ${eventId}: 1 registration has no date that can be read, so it isn't counted as new.`
				: `Event ${eventId}: ${undated} registrations have no date that can be read, so they aren't counted as new.`,
		);
	}
	return times.filter((time) => time >= sinceMs).length;
}

/** Groups records, the largest group first. */
function groupsOf(records: IDataObject[], keyOf: (record: IDataObject) => string): IDataObject[][] {
	const sorted = [...groupBy(records, keyOf)].sort(([a, group], [b, otherGroup]) =>
		group.length === otherGroup.length ? (a < b ? -1 : 1) : otherGroup.length - group.length,
	);
	return sorted.map(([, group]) => group);
}

async function byType(
	call: ItemCall,
	eventId: string,
	registered: IDataObject[],
	{ hasCheckedIn }: Presence,
): Promise<IDataObject[]> {
	const groups = groupsOf(registered, ({ RegistrationTypeId }) => textOf(RegistrationTypeId));
	const nameFor = await typeNamer(
		call,
		eventId,
		groups.map(([first]) => first!),
	);
	return groups.map((group) => {
		const checkedIn = group.filter(hasCheckedIn).length;
		const { RegistrationTypeId = null, RegistrationType = '' } = {
			...group[0],
			...nameFor(group[0]!),
		};
		return {
			RegistrationTypeId,
			RegistrationType,
			registered: group.length,
			checkedIn,
			missing: group.length - checkedIn,
		};
	});
}

/**
 * Returns the function that names a registration's type. A failed lookup leaves the names out; the counts are right without
 * them.
 */
async function typeNamer(call: ItemCall, eventId: string, records: IDataObject[]) {
	return await lookUpTypeNames(records, { eventId }, call).catch((error: unknown) => {
		if (!(error instanceof ServiceFailure)) throw error;
		call.hint(
			`Event ${eventId}: the names of the registration types couldn't be looked up, so byType has only their IDs. All numbers are complete.`,
		);
		return () => undefined;
	});
}

const byStatus = (registrations: IDataObject[]): IDataObject[] =>
	groupsOf(registrations, ({ RegistrationStatus }) => textOf(RegistrationStatus).trim()).map(
		(group) => ({
			RegistrationStatus: textOf(group[0]!.RegistrationStatus).trim(),
			registrations: group.length,
		}),
	);
