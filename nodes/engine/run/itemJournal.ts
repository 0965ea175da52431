import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../errors';
import { fillPath } from '../http/path';
import { isUnclearWrite } from '../http/requestTraits';
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
	exchanges: Array<{ requestText: string; response: ServiceResponse }>;
	/** Progress of an item that takes several steps. */
	progress?: object;
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
const runs = perProcess<Runs>('journal 3', () => new WeakMap());

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
		const result = this.entry?.settled;
		return result && 'error' in result ? { error: reviveError(result.error) } : result;
	}

	get hasSent(): boolean {
		const { settled, exchanges = [], progress } = this.entry ?? {};
		return settled !== undefined || exchanges.length > 0 || progress !== undefined;
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
		const recordedFields = this.hasSent ? this.entry.fields : undefined;
		return recordedFields ?? (this.entry.fields = readNow());
	}

	settle(result: SettledResult): void {
		if (!this.entry) return;
		this.entry.settled = result;
		this.entry.exchanges = [];
	}

	async runOnce<T>(work: () => Promise<T>): Promise<T> {
		const { settled } = this;
		// An earlier try ran the same `work`, so the stored value has its type.
		if (settled) return unwrapSettled(settled as SettledResult<T>);
		this.position = 0;
		const result = await captureResult(work);
		this.position = undefined;
		if ('value' in result || this.isUncertain) this.settle(result);
		return unwrapSettled(result);
	}

	progress<T extends object>(begin: () => T): T {
		// An earlier try called the same operation, so the stored value has its type.
		const progress = (this.entry?.progress as T | undefined) ?? begin();
		if (this.entry) this.entry.progress = progress;
		return progress;
	}

	/**
	 * Sends a request of the item, or returns an earlier try's response to it. Sends idempotent requests again, unless the
	 * service answered and left open whether it carried a write out.
	 */
	async send(request: Request, sendNow: () => Promise<ServiceResponse>): Promise<ServiceResponse> {
		if (!this.entry || this.position === undefined) return await sendNow();
		if (request.idempotent === true) {
			const result = await captureResult(sendNow);
			this.isUncertain ||= 'error' in result && isAnsweredUnclearly(result.error, request);
			return unwrapSettled(result);
		}
		const position = this.position++;
		const requestText = `${request.method} ${fillPath(request.path, request.params ?? {})}`;
		const exchange = this.entry.exchanges[position];
		// Since reads are repeated, a try may send other requests than the try before it. The stored response is then not
		// for this request.
		if (exchange?.requestText === requestText) return structuredClone(exchange.response);
		const result = await captureResult(sendNow);
		if ('value' in result)
			this.entry.exchanges[position] = { requestText, response: structuredClone(result.value) };
		else this.isUncertain ||= mayHaveArrived(result.error);
		return unwrapSettled(result);
	}
}

/** The journal of all items without an entry. It stores nothing, so all these items can share it. */
const EMPTY_JOURNAL = new ItemJournal();

const mayHaveArrived = (error: unknown) =>
	error instanceof ServiceFailure ? error.uncertain : !(error instanceof BadInput);

const isAnsweredUnclearly = (error: unknown, request: Request) =>
	error instanceof ServiceFailure && isUnclearWrite(error, request);

function unwrapSettled<T>(result: SettledResult<T>): T {
	if ('error' in result) throw result.error;
	return result.value;
}

/** Recreates an error with this load's class, because an update may have replaced the pack that stored the error. */
function reviveError(error: unknown): unknown {
	if (!(error instanceof Error) || error.name !== 'ServiceFailure') return error;
	return new ServiceFailure(error.message, error as ServiceFailure);
}
