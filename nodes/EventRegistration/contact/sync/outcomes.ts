import { isFatal, isUncertain } from '../bulkAdd';
import type { PlannedRow, UnmatchedContact } from './types';

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
	}

	skip(planned: PlannedWrite, reason: string): void {
		this.byWrite.set(planned, { kind: 'skipped', reason });
	}

	/** Records a write that was not sent, because a request before it failed. */
	failUnsent(planned: PlannedWrite, error: unknown): void {
		this.byWrite.set(planned, { kind: 'failed', error });
		if (this.stopsAfter(error)) this.stoppedBy ??= error;
	}

	/** Records a failed write. It stops the run, unless the user chose to continue and other writes may succeed. */
	fail(planned: PlannedWrite, error: unknown): void {
		this.failUnsent(planned, error);
		if (isUncertain(error)) {
			this.byWrite.set(planned, { kind: 'uncertain', reason: error.message });
		}
	}

	/** Stops the run after a write that was carried out, whatever the user chose for errors. */
	stop(planned: PlannedWrite, error: unknown): void {
		this.byWrite.set(planned, { kind: 'failed', error });
		this.stoppedBy ??= error;
	}

	/** A lost answer alone does not stop a run that continues: the next run finds out what was written. */
	stopsAfter = (error: unknown): boolean =>
		!this.continueOnFail || (!isUncertain(error) && isFatal(error));
}
