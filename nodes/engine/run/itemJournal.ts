import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../errors';
import { fillPath } from '../http/path';
import type { ServiceResponse, Request } from '../http/types';
import { captureResult } from '../journal';
import type { Journal, SettledResult } from '../journal';
import { repeatedRunOf } from '../n8n/executeData';
import { perProcess } from '../n8n/perProcess';
import type { Operation } from '../operation';
import { onlyReads } from '../operationTraits';
import type { EvaluatedFields } from './fields';

/** Requests and results of one item of a run so far. Plain data: another version of the pack may read it after an update. */
interface Entry {
	/** Set once the item is finished and must not be processed again. */
	settled?: SettledResult;
	/** The requests that must not be sent twice and their responses, in the order in which the item sends them. */
	exchanges: Array<{ line: string; response: ServiceResponse }>;
	/** The parts of the item that were carried out, by their key. */
	parts?: Map<string, SettledResult>;
	/** The parameters as they were sent. An expression such as `$now` returns another value in the next try. */
	fields?: EvaluatedFields;
	/** Values of the item that no error may show. */
	secrets: Set<string>;
	hints: Set<string>;
}

/** The items of each run, by their index. */
type Runs = WeakMap<object, Map<number, Entry>>;

/**
 * The entries of all runs in this process. The keys are objects that n8n drops when it is done with a run, so no entry outlives
 * its execution.
 */
const runs = perProcess<Runs>('journal 2', () => new WeakMap());

/** Returns the journals of a run's items. They have no entry if the operation only reads or n8n does not repeat the run. */
export function journalFactoryFor(
	context: IExecuteFunctions,
	operation: Operation,
): (itemIndex: number) => ItemJournal {
	const run = onlyReads(operation) ? undefined : repeatedRunOf(context);
	if (!run) return () => EMPTY_JOURNAL;
	const entries = runs.get(run) ?? new Map<number, Entry>();
	runs.set(run, entries);
	return (itemIndex) => {
		const entry = entries.get(itemIndex) ?? {
			exchanges: [],
			secrets: new Set<string>(),
			hints: new Set<string>(),
		};
		entries.set(itemIndex, entry);
		return new ItemJournal(entry);
	};
}

/** The journal of one item. Without an entry it stores nothing, and every try processes the whole item. */
export class ItemJournal implements Journal {
	/** Number of requests that this try has sent or replayed; undefined outside of `runOnce`. */
	private position: number | undefined;
	/** Whether the service may have executed a request whose response was lost. */
	private isUncertain = false;

	constructor(private readonly entry?: Entry) {}

	get settled(): SettledResult | undefined {
		const outcome = this.entry?.settled;
		return outcome && 'error' in outcome ? { error: reviveError(outcome.error) } : outcome;
	}

	get hasSent(): boolean {
		const { settled, exchanges = [], parts } = this.entry ?? {};
		return settled !== undefined || exchanges.length > 0 || (parts?.size ?? 0) > 0;
	}

	/** Values that earlier tries excluded from error messages. */
	get secrets(): Iterable<string> {
		return this.entry?.secrets ?? [];
	}

	/** Hints that earlier tries showed next to the output. */
	get hints(): Iterable<string> {
		return this.hasSent ? (this.entry?.hints ?? []) : [];
	}

	addSecret(value: string): void {
		this.entry?.secrets.add(value);
	}

	addHint(message: string): void {
		this.entry?.hints.add(message);
	}

	/** Reads the parameters. If an earlier try has sent a request, returns the parameters of that try. */
	read(readNow: () => EvaluatedFields): EvaluatedFields {
		if (!this.entry) return readNow();
		const known = this.hasSent ? this.entry.fields : undefined;
		return known ?? (this.entry.fields = readNow());
	}

	settle(outcome: SettledResult): void {
		if (!this.entry) return;
		this.entry.settled = outcome;
		this.entry.exchanges = [];
	}

	async runOnce<T>(work: () => Promise<T>): Promise<T> {
		const { settled } = this;
		// An earlier try ran the same `work`, so the stored value has its type.
		if (settled) return unwrapSettled(settled as SettledResult<T>);
		this.position = 0;
		const ended = await captureResult(work);
		this.position = undefined;
		if ('value' in ended || this.isUncertain) this.settle(ended);
		return unwrapSettled(ended);
	}

	async runPartOnce<T>(key: string, work: () => Promise<T>): Promise<T> {
		const known = this.entry?.parts?.get(key);
		if (known) {
			if ('error' in known) throw reviveError(known.error);
			return structuredClone(known.value) as T;
		}
		const ended = await captureResult(work);
		const isSettled = 'value' in ended || mayHaveArrived(ended.error);
		if (this.entry && isSettled) (this.entry.parts ??= new Map()).set(key, ended);
		return unwrapSettled(ended);
	}

	/** Sends a request of the item, or returns an earlier try's response to it. Sends idempotent requests again. */
	async send(request: Request, sendNow: () => Promise<ServiceResponse>): Promise<ServiceResponse> {
		if (!this.entry || this.position === undefined || request.idempotent === true) {
			return await sendNow();
		}
		const position = this.position++;
		const line = `${request.method} ${fillPath(request.path, request.params ?? {})}`;
		const known = this.entry.exchanges[position];
		// Since reads are repeated, a try may send other requests than the try before it. The stored response is then not
		// for this request.
		if (known?.line === line) return structuredClone(known.response);
		const sent = await captureResult(sendNow);
		if ('value' in sent)
			this.entry.exchanges[position] = { line, response: structuredClone(sent.value) };
		else this.isUncertain ||= mayHaveArrived(sent.error);
		return unwrapSettled(sent);
	}
}

/** The journal of all items without an entry. It stores nothing, so all these items can share it. */
const EMPTY_JOURNAL = new ItemJournal();

const mayHaveArrived = (error: unknown) =>
	error instanceof ServiceFailure ? error.uncertain : !(error instanceof BadInput);

function unwrapSettled<T>(outcome: SettledResult<T>): T {
	if ('error' in outcome) throw outcome.error;
	return outcome.value;
}

/** Recreates an error with this load's class, because an update may have replaced the pack that stored the error. */
function reviveError(error: unknown): unknown {
	if (!(error instanceof Error) || error.name !== 'ServiceFailure') return error;
	return new ServiceFailure(error.message, error as ServiceFailure);
}
