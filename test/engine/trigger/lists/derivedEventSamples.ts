import type { IDataObject } from 'n8n-workflow';

import { deriveEvents } from '../../../../nodes/engine/trigger/lists/core';
import type { ChangeSchema, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import type { PollCircumstances } from '../../../../nodes/engine/trigger/lists/core/recordAge';

export const HOUR = 3_600_000;
export const FOLLOWED_SINCE = Date.UTC(2026, 10, 15, 12);
export const formatTime = (afterMs: number) => new Date(FOLLOWED_SINCE + afterMs).toISOString();
/** Formats a time in the canonical form in which the digest compares times. */
export const formatCanonical = (afterMs: number) => `@${(FOLLOWED_SINCE + afterMs) / 1000}Z`;
export const formatWithoutZone = (afterMs: number) => formatTime(afterMs).slice(0, -1);

export const changeSchema: ChangeSchema = {
	oneTimeEvents: [
		{ kind: 'created', dateFields: ['Made', 'Added'], isCreation: true },
		{ kind: 'checkedIn', dateFields: ['CheckIn'] },
	],
	status: { kind: 'status', field: 'Status' },
	updated: 'updated',
	ignored: ['Count'],
	stamp: 'Stamp',
};
export const createList = (overrides: Partial<ListDefinition> = {}): ListDefinition => ({
	key: 'k',
	name: 'K',
	isFiltered: true,
	changeSchema,
	identify: ({ Id }) => Id,
	...overrides,
});
export const filtered = createList();
export const compared = createList({ isFiltered: false });
export const keepsAll = createList({ keepsAll: true });

const ALL_KINDS = new Set(['created', 'checkedIn', 'status', 'updated']);
export const laterPoll: PollCircumstances = {
	known: undefined,
	followedSince: FOLLOWED_SINCE,
	isFirstPoll: false,
	areDatesInconclusive: false,
	includeExisting: false,
	intervalMs: 60_000,
	kinds: ALL_KINDS,
};
export type DeriveArguments = [IDataObject, ListDefinition?, Partial<PollCircumstances>?];
export const derive = (...[record, definition = filtered, circumstances]: DeriveArguments) =>
	deriveEvents(record, definition, { ...laterPoll, ...circumstances });
export const deriveKinds = (...args: DeriveArguments) =>
	derive(...args).events.map(({ kind }) => kind);
export const deriveState = (record: IDataObject, definition = filtered) =>
	deriveEvents(record, definition, laterPoll).after;
