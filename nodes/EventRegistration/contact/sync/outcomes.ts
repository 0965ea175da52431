import { ServiceFailure } from '../../../engine/errors';
import { isFatal, isUncertain } from '../bulkAdd';
import type { PlannedRow, UnmatchedContact } from './types';

/** Requests without an answer, or for contacts that are gone, in a row after which a run stops: all others would end like them. */
export const MAX_FAILED_IN_A_ROW = 10;

/** Something that a plan writes: a row, or a contact that it removes. */
export type PlannedWrite = PlannedRow | UnmatchedContact;

/** How a write ended. A lost answer leaves it uncertain; a contact that has changed since the reading is skipped. */
export type Outcome =
	| { kind: 'done' }
	| { kind: 'uncertain' | 'skipped'; reason: string }
	| { kind: 'failed'; error: unknown };

/** The outcomes of a run so far, and the error that stopped it. */
export class Outcomes {
	/** The captions of fields that the service stored in another spelling than the one sent. */
	readonly respelled = new Set<string>();
	/** The error after which nothing more is written. */
	stoppedBy: unknown;
	private failedInARow = 0;
	private lastError: unknown;
	private readonly byWrite = new Map<PlannedWrite, Outcome>();

	constructor(private readonly continueOnFail: boolean) {}

	get isStopped(): boolean {
		return this.stoppedBy !== undefined;
	}

	of(planned: PlannedWrite): Outcome | undefined {
		return this.byWrite.get(planned);
	}

	count(kind: Outcome['kind'], change?: PlannedWrite['change']): number {
		return [...this.byWrite].filter(
			([planned, outcome]) =>
				outcome.kind === kind && (change === undefined || planned.change === change),
		).length;
	}

	succeed(planned: PlannedWrite): void {
		this.byWrite.set(planned, { kind: 'done' });
		this.failedInARow = 0;
	}

	skip(planned: PlannedWrite, reason: string): void {
		this.byWrite.set(planned, { kind: 'skipped', reason });
		this.failedInARow = 0;
	}

	/** Records a write that was not sent, because a request before it failed. */
	failUnsent(planned: PlannedWrite, error: unknown): void {
		this.byWrite.set(planned, { kind: 'failed', error });
		if (this.stopsRun(planned, error)) this.stoppedBy ??= error;
	}

	/** Records a failed write. It stops the run, unless the user chose to continue and other writes may succeed. */
	fail(planned: PlannedWrite, error: unknown): void {
		this.failUnsent(planned, error);
		if (isUncertain(error)) {
			this.byWrite.set(planned, { kind: 'uncertain', reason: error.message });
		}
	}

	/** Records a write whose answer an earlier try of this run has lost. It does not show whether the service answers now. */
	leaveOpen(planned: PlannedWrite, error: ServiceFailure): void {
		this.byWrite.set(planned, { kind: 'uncertain', reason: error.message });
		if (!this.continueOnFail) this.stoppedBy ??= error;
	}

	/** Stops the run after a write that was carried out, whatever the user chose for errors. */
	stop(planned: PlannedWrite, error: unknown): void {
		this.byWrite.set(planned, { kind: 'failed', error });
		this.stoppedBy ??= error;
	}

	/** A lost answer alone does not stop a run that continues: the next run finds out what was written. */
	stopsAfter = (error: unknown): boolean =>
		!this.continueOnFail || (!isUncertain(error) && isFatal(error));

	private stopsRun(planned: PlannedWrite, error: unknown): boolean {
		const isGone = planned.contact !== undefined && isNotFound(error);
		if (!this.continueOnFail || (!isGone && this.stopsAfter(error))) return true;
		if (!isGone && !isUnanswered(error)) this.failedInARow = 0;
		// The contacts of a batch have one error in common.
		else if (error !== this.lastError) this.failedInARow++;
		this.lastError = error;
		return this.failedInARow >= MAX_FAILED_IN_A_ROW;
	}
}

/** Whether the service says that a contact is gone. Text comes from a proxy in front of it, which does not know. */
const isNotFound = (error: unknown): boolean =>
	error instanceof ServiceFailure && error.status === 404 && !error.isText;

const isUnanswered = (error: unknown): boolean =>
	isUncertain(error) || (error instanceof ServiceFailure && (error.status ?? 500) >= 500);
