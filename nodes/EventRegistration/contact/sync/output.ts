import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../../engine/errors';
import { normalizeId } from '../../../engine/values/convert';
import { addToGroup } from '../../../engine/values/groupBy';
import { notSentFailure } from '../bulkAdd';
import { EMAIL } from './plan';
import type { PlannedRow, SyncPlan, SyncScope, UnmatchedContact } from './types';
import type { WriteResults, PlannedWrite } from './writeResults';

/** The value of `change` in an item. */
type Change = PlannedWrite['change'] | 'uncertain';

/** The state of a row or contact after a run; an error if the plan writes it and the run did not. */
type RowResult =
	{ change: Change; applied: boolean | null; reason?: string; error?: never } | { error: unknown };

export const isChange = (change: unknown): boolean =>
	change !== 'unchanged' && change !== 'duplicate';

/** Returns the result of a planned row. Without `writeResults`, the run is a preview. */
export function createRowResult(
	planned: PlannedRow,
	writeResults: WriteResults | undefined,
): RowResult {
	const { change } = planned;
	if (change === 'conflict') return { change, applied: false, reason: planned.reason };
	if (!writeResults || !isWrite(change)) return { change, applied: false };
	const outcome = writeResults.of(planned);
	switch (outcome?.kind) {
		case 'done':
			return { change, applied: true };
		case 'uncertain':
			return { change: 'uncertain', applied: null, reason: outcome.reason };
		case 'skipped':
			return { change: 'conflict', applied: false, reason: outcome.reason };
		case 'failed':
			return { error: outcome.error };
		default:
			return { error: notSentFailure(writeResults.stoppedBy) };
	}
}

const isWrite = (change: Change) => change === 'created' || change === 'updated';

/**
 * Returns the result for a contact that no row is about. A contact that could not be removed is shown as missing, with the
 * reason.
 */
export function createContactResult(
	planned: UnmatchedContact,
	writeResults: WriteResults | undefined,
) {
	const { change, reason } = planned;
	const outcome = writeResults?.of(planned);
	if (change === 'missing' || !writeResults)
		return { change, applied: false, ...(reason && { reason }) };
	if (outcome?.kind === 'done') return { change, applied: true };
	if (outcome?.kind === 'uncertain') {
		return { change: 'uncertain' as const, applied: null, reason: outcome.reason };
	}
	const error = outcome?.kind === 'failed' ? outcome.error : writeResults.stoppedBy;
	const failureReason = outcome && 'reason' in outcome ? outcome.reason : messageOf(error);
	return { change: 'missing' as const, applied: false, reason: failureReason };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : '');

/** Creates the items of the output. All items contain the same plan. */
export class SyncOutput {
	constructor(
		private readonly scope: SyncScope,
		readonly plan: string,
	) {}

	row({ row, contact, ...planned }: PlannedRow, columns: object): IDataObject {
		const identity = this.identity(row.values);
		const changes = 'changes' in planned ? planned.changes.map((change) => ({ ...change })) : [];
		return { ...columns, ...contactId(contact), ...identity, changes, plan: this.plan };
	}

	contact({ contact }: UnmatchedContact, columns: object): IDataObject {
		const identity = this.identity(contact.values);
		return { ...columns, ...contactId(contact), ...identity, changes: [], plan: this.plan };
	}

	/** Returns the value of the Match By field and the address, by which people recognize a contact. */
	private identity(values: ReadonlyArray<string | undefined>): IDataObject {
		const valueOf = (fieldName: string) =>
			values[this.scope.fields.findIndex(({ name }) => name === fieldName)];
		const address = valueOf(EMAIL);
		return {
			key: valueOf(this.scope.matchBy)?.trim(),
			...(address !== undefined && { [EMAIL]: address }),
		};
	}
}

const contactId = (contact: PlannedRow['contact']) =>
	contact && { ContactId: normalizeId(contact.id) };

const MAX_EXAMPLES = 10;

/** Counts items by their change, and keeps the first of each as examples. */
export class SyncSummary {
	private readonly counts = new Map<string, number>(
		[
			'created',
			'updated',
			'unchanged',
			'duplicate',
			'conflict',
			'uncertain',
			'missing',
			'removed',
			'invalid',
		].map((change) => [change, 0]),
	);
	private readonly examples = new Map<string, IDataObject[]>();
	/** Whether anything was written; null if that is uncertain for at least one contact. */
	private applied: boolean | null = false;

	/** `createExample` is called only if the example is shown. */
	add(
		{ change, applied = false }: { change: Change | 'invalid'; applied?: boolean | null },
		createExample?: () => IDataObject,
	): void {
		if (this.applied !== null) this.applied = applied === null ? null : this.applied || applied;
		const before = this.counts.get(change) ?? 0;
		this.counts.set(change, before + 1);
		if (!createExample || before >= MAX_EXAMPLES) return;
		const example = createExample();
		delete example.plan;
		addToGroup(this.examples, change, example);
	}

	get hasChanges(): boolean {
		const changes = ['created', 'updated', 'removed', 'uncertain'];
		return changes.some((change) => this.counts.get(change)! > 0);
	}

	toItem(plan: string, limitExceeded: string | undefined): IDataObject {
		return {
			hasChanges: this.hasChanges,
			applied: this.applied,
			counts: Object.fromEntries(this.counts),
			examples: Object.fromEntries(this.examples),
			...(limitExceeded !== undefined && { limitExceeded }),
			plan,
		};
	}

	/** Returns the counts above 0 for a message: "3 created, 1 updated". */
	toText(): string {
		const positiveCounts = [...this.counts].filter(([, count]) => count > 0);
		return positiveCounts.map(([change, count]) => `${count} ${change}`).join(', ') || 'nothing';
	}
}

/** Summarizes a plan that is not applied. */
export function summaryOf({ rows, unmatched }: SyncPlan): SyncSummary {
	const summary = new SyncSummary();
	for (const { change } of [...rows, ...unmatched]) summary.add({ change });
	return summary;
}

/** Returns the error that stopped a run, with how far the run came. */
export function stoppedFailure(writeResults: WriteResults): unknown {
	const { stoppedBy: error } = writeResults;
	if (!(error instanceof ServiceFailure)) return error;
	const done = (change: PlannedWrite['change']) => writeResults.count('done', change);
	const uncertainCount = writeResults.count('uncertain');
	return error.with({
		message: `Sync stopped after ${done('updated')} changed, ${done('created')} added and ${done('removed')} removed contacts${uncertainCount > 0 ? `, with ${uncertainCount} uncertain` : ''}: ${causeOf(error)}`,
		advice:
			`${error.advice ?? ''} Run Sync again to continue: it plans from what is in the list then. With 'Expected Plan', make a new preview first.`.trim(),
	});
}

/** Longest text of a service that is quoted after the counts. */
const MAX_CAUSE = 250;

/**
 * Returns why a run stopped. A long text is left out and not shortened: it may repeat the key that the service received, and
 * a part of a key is not redacted.
 */
const causeOf = ({ message, status }: ServiceFailure) =>
	message.length > MAX_CAUSE ? `the service answered with the status ${status}` : message;
