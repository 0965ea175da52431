import { ServiceFailure } from '../../../engine/errors';
import { isGone } from '../../../engine/http/statuses';
import { isFatal, isUncertain } from '../bulkAdd';
import type { PlannedRow, UnmatchedContact } from './types';

/**
 * A run stops after this many requests in a row that got no response or were for contacts that are gone: all others would
 * end like these.
 */
export const MAX_CONSECUTIVE_FAILURES = 10;

const LOST_RESPONSE =
	"The service's answer was lost or reported a failure, so it's unclear whether this was written. Run Sync again: it reads the list and writes what is missing.";

/** Something that a plan writes: a row, or a contact that it removes. */
export type PlannedWrite = PlannedRow | UnmatchedContact;

/**
 * How a write ended. It is uncertain if its response was lost, and skipped if the contact has changed or appeared since the
 * list was read.
 */
export type WriteResult =
	| { kind: 'done' }
	| { kind: 'uncertain' | 'skipped'; reason: string }
	| { kind: 'failed'; error: unknown };

/** The results of a run so far, and the error that stopped it. */
export class WriteResults {
	/** The captions of fields that the service stored in another spelling than the one sent. */
	readonly respelled = new Set<string>();
	/** The error after which nothing more is written. */
	stoppedBy: unknown;
	private consecutiveFailures = 0;
	private lastError: unknown;
	private readonly byWrite = new Map<PlannedWrite, WriteResult>();

	constructor(private readonly continueOnFail: boolean) {}

	get isStopped(): boolean {
		return this.stoppedBy !== undefined;
	}

	of(planned: PlannedWrite): WriteResult | undefined {
		return this.byWrite.get(planned);
	}

	count(kind: WriteResult['kind'], change?: PlannedWrite['change']): number {
		return [...this.byWrite].filter(
			([planned, outcome]) =>
				outcome.kind === kind && (change === undefined || planned.change === change),
		).length;
	}

	succeed(planned: PlannedWrite): void {
		this.byWrite.set(planned, { kind: 'done' });
		this.consecutiveFailures = 0;
	}

	skip(planned: PlannedWrite, reason: string): void {
		this.byWrite.set(planned, { kind: 'skipped', reason });
		this.consecutiveFailures = 0;
	}

	/** Records a write that the service rejected, or that was not sent because a request before it failed. */
	recordDefiniteFailure(planned: PlannedWrite, error: unknown): void {
		this.byWrite.set(planned, { kind: 'failed', error });
		const isContactGone =
			planned.contact !== undefined && error instanceof ServiceFailure && isGone(error);
		if (this.stopsAfterDefiniteFailure(error) && !(isContactGone && this.continueOnFail))
			this.stoppedBy ??= error;
		if (isContactGone || isUnanswered(error)) this.countFailure(error);
		else this.consecutiveFailures = 0;
	}

	/**
	 * Records a failed write. After a lost response, the result is uncertain. Any other failure stops the run, unless the
	 * user chose to continue.
	 */
	recordFailureOfSentWrite(planned: PlannedWrite, error: unknown): void {
		if (!isUncertain(error)) return this.recordDefiniteFailure(planned, error);
		this.markUncertain(planned);
		this.countFailure(error);
	}

	/**
	 * Records a write whose response was lost. The next run finds out whether the service carried it out. The reason quotes
	 * nothing of a response: only errors are redacted before they are shown, and a service may repeat the key that it got.
	 */
	markUncertain(planned: PlannedWrite): void {
		this.byWrite.set(planned, { kind: 'uncertain', reason: LOST_RESPONSE });
	}

	/** Stops the run after a write that was sent, whatever the user chose for errors. */
	stop(planned: PlannedWrite, error: unknown): void {
		this.byWrite.set(planned, { kind: 'failed', error });
		this.stoppedBy ??= error;
	}

	/** Whether nothing more is written after a failure. A lost response alone does not stop a run. */
	stopsAfter = (error: unknown): boolean =>
		!isUncertain(error) && (!this.continueOnFail || isFatal(error));

	/**
	 * Whether a failed request before a write stops the run. A lost response counts like any other failure, because the
	 * write was not sent.
	 */
	stopsAfterDefiniteFailure = (error: unknown): boolean =>
		!this.continueOnFail || this.stopsAfter(error);

	private countFailure(error: unknown): void {
		// All contacts of a batch have the same error, which counts once.
		if (error !== this.lastError) this.consecutiveFailures++;
		this.lastError = error;
		if (this.consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) this.stoppedBy ??= error;
	}
}

const isUnanswered = (error: unknown): boolean =>
	isUncertain(error) || (error instanceof ServiceFailure && (error.status ?? 500) >= 500);
