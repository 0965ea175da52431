import type { ItemCall } from '../../../engine/operation';
import { sharedOptionDefaults } from '../../../engine/panel/options';
import { clampNumber } from '../../../engine/values/convert';
import { writeCreations } from './creations';
import type { SyncedList } from './list';
import type { ListReading } from './readList';
import { writeRemovals } from './removals';
import type { PlannedRemoval } from './removals';
import type { PlannedCreation } from './signUps';
import type { SyncPlan, SyncScope } from './types';
import { Updates } from './updates';
import type { PlannedUpdate } from './updates';
import { WriteResults } from './writeResults';

export interface WriteSettings {
	/** The reading that the plan was made from. */
	reading: ListReading;
	/** Returns the call of an input item. */
	callOf: (index: number) => ItemCall;
	continueOnFail: boolean;
	/** The service's time of the preview that was signed off. */
	previewAsOf?: number;
}

/**
 * Writes a plan: updates, then new contacts, then removals. An interruption at any point leaves a list from which the next run
 * reaches the same state.
 */
export async function writePlan(
	list: SyncedList,
	scope: SyncScope,
	plan: SyncPlan,
	{ reading, callOf, continueOnFail, previewAsOf }: WriteSettings,
): Promise<WriteResults> {
	const writeResults = new WriteResults(continueOnFail);
	const concurrency = Math.floor(
		clampNumber(list.call.option('itemsAtATime'), {
			min: 1,
			max: 100,
			fallback: sharedOptionDefaults.readConcurrency,
		}),
	);
	const updates = plan.rows.filter((row): row is PlannedUpdate => row.change === 'updated');
	const creations = plan.rows.filter((row): row is PlannedCreation => row.change === 'created');
	const removals = plan.unmatched.filter(
		(contact): contact is PlannedRemoval => contact.change === 'removed',
	);
	await new Updates(list, scope, writeResults).write(updates, concurrency);
	await writeCreations(list, creations, writeResults, { scope, reading, callOf });
	await writeRemovals(list, scope, removals, writeResults, { concurrency, previewAsOf });
	return writeResults;
}
