import type * as ListCore from '../../../nodes/engine/trigger/lists/core';
import type { WorldPlan } from '../subjects/worldPlan';
import type { DateSettings, Outage } from './coreListService';
import type { ListChange, ListSettings } from './recordLists';
import type { DatabaseOptions } from './startDatabase';

/** Something that happens in a history, in turn. */
export type CoreStep =
	| { kind: 'change'; change: ListChange }
	| { kind: 'betweenPages'; change: ListChange }
	| { kind: 'kill'; downtimeMs: number }
	/** The trigger is closed and opened again. If `isStale`, n8n then has the state of the last activation. */
	| { kind: 'reopen'; downtimeMs: number; isStale: boolean }
	| { kind: 'clock'; byMs: number };

/** Plan of a history of the core of list triggers. */
export interface CoreListPlan extends WorldPlan, DatabaseOptions {
	isFiltered: boolean;
	kinds: string[];
	listCount: number;
	initialCount: number;
	steps: Array<{ afterMs: number; step: CoreStep }>;
	outages: Outage[];
	order: ListSettings['order'];
	pageSize: number;
	dates: DateSettings;
	skewMs: number;
	intervalMs: number;
	overlapMs: number;
	batchesChanges: boolean;
	includeExisting: boolean;
	maxUnconfirmed: number;
	/** How long a history continues without faults. */
	calmMs: number;
}

/** The workflow of the trigger that follows the lists. */
export const WORKFLOW = 'core';

/** Returns how the service shows a list of a plan. */
export function settingsFor(plan: CoreListPlan, index: number): ListSettings {
	const { format, header, resolutionMs } = plan.dates;
	return {
		followed: {
			list: `list ${index}`,
			workflow: WORKFLOW,
			// A list with stamps has no status that starts a workflow by itself.
			kinds: plan.kinds.filter((kind) => !plan.isFiltered || kind !== 'statusChanged'),
			isFiltered: plan.isFiltered,
			includeExisting: plan.includeExisting,
			batchesChanges: plan.batchesChanges,
			intervalMs: plan.intervalMs,
			overlapMs: plan.overlapMs,
			skewMs: plan.skewMs,
			hasExactDates: format !== 'zoneless' && header === 'always',
			maxUnconfirmed: plan.maxUnconfirmed,
		},
		firstNumber: 910_000 + 1000 * index,
		order: plan.order,
		pageSize: plan.pageSize,
		showsTotal: false,
		resolutionMs,
	};
}

/** Returns a list as the core of the trigger knows it. */
export const definitionOf = (
	{ isFiltered }: CoreListPlan,
	{ followed }: ListSettings,
): ListCore.ListDefinition => ({
	key: followed.list,
	name: followed.list,
	isFiltered,
	changeSchema: {
		oneTimeEvents: [
			{ kind: 'created', dateFields: ['CreatedAt'], isCreation: true as const },
			{ kind: 'checkedIn', dateFields: ['CheckIn'] },
		],
		updated: 'updated',
		ignored: ['Seen'],
		...(isFiltered ? { stamp: 'Stamp' } : { status: { kind: 'statusChanged', field: 'Status' } }),
	},
	identify: ({ Id }: Record<string, unknown>) => Id,
});
