import type { IDataObject, IExecuteFunctions, IGetNodeParameterOptions } from 'n8n-workflow';

import { BadInput, redact } from '../errors';
import type { Field } from '../field';
import { Client, connect } from '../http/client';
import type { Connection } from '../http/client';
import { toJson } from '../http/json';
import type { Request, RequestStats, SendOptions, ServiceResponse } from '../http/types';
import { addHint } from '../n8n/hints';
import { parkedStateOf } from '../n8n/suspend';
import { isReview } from '../n8n/toolVariants';
import type { ItemCall, Catalog, Operation, Values } from '../operation';
import { canShareResult } from '../operationTraits';
import { sharedOptionDefaults } from '../panel/options';
import { clampNumber } from '../values/convert';
import { localDateHint } from '../values/dates';
import { isRecord } from '../values/isRecord';
import { plainText } from '../values/texts';
import { createEventLoopGate } from './eventLoopGate';
import { readFields } from './fields';
import type { EvaluatedFields } from './fields';
import { journalFactoryFor } from './itemJournal';
import type { ItemJournal } from './itemJournal';
import { readLimit } from './limit';
import { missingRecordHint } from './output';
import { HIDDEN, NodeParameters } from './parameters';
import { buildRequest, requestDefaultsOf } from './request';
import { ResolvedParameters } from './resolvedParameters';

/** A call with its evaluated fields and options. Its getters throw BadInput for a value that cannot be sent. */
export interface CallWithValues extends ItemCall {
	readonly values: Values;
	/**
	 * Equal for items that would send equal requests and shape the output in the same way. Undefined unless the user chose
	 * that these items share one response.
	 */
	readonly shareKey: string | undefined;
	/** Drops fields, options and client, which take more memory than the rest of a call. They are read again if needed. */
	releaseValues(): void;
}

/** The calls of a run, and the numbers of its requests. */
export interface ItemCalls {
	calls: CallWithValues[];
	stats: RequestStats;
}

/** Returns the operation that the user chose. */
export function chosenOperation(context: IExecuteFunctions, service: Catalog): Operation {
	const resource = service.resources[`${context.getNodeParameter('resource', 0)}`];
	const operation = resource?.operations[`${context.getNodeParameter('operation', 0)}`];
	if (!operation) throw new BadInput('This operation does not exist: choose one from the list');
	return operation;
}

/**
 * Creates one call per input item. Reads the credential, and the lists that names are looked up in, once for all items.
 */
export async function createItemCalls(
	context: IExecuteFunctions,
	service: Catalog,
	operation: Operation,
): Promise<ItemCalls> {
	const connection = await connect(context, service);
	const hints = new Set<string>();
	const hint = (message: string) => {
		if (hints.has(message)) return;
		hints.add(message);
		addHint(context, message);
	};
	const parameters = new NodeParameters(context);
	const resolvedParameters = new ResolvedParameters(parameters, operation, service);
	const eventLoopGate = createEventLoopGate();
	const stats: RequestStats = { requests: 0, retries: 0, pausedMs: 0 };
	const runState: RunState = {
		context,
		service,
		operation,
		connection,
		parameters,
		resolvedParameters,
		optionNames: new Set(operation.options?.map(({ name }) => name)),
		isReview: isReview(context.getNode()),
		eventLoopGate,
		stats,
		hint,
	};
	const journalOf = journalFactoryFor(context, operation);
	const calls = context
		.getInputData()
		.map((_, itemIndex) => new LazyItemCall(runState, itemIndex, journalOf(itemIndex)));
	await resolvedParameters.resolve(calls, eventLoopGate);
	return { calls, stats };
}

/** State that all items of a run share. */
interface RunState extends Pick<ItemCall, 'context' | 'service' | 'operation' | 'hint'> {
	connection: Connection;
	parameters: NodeParameters;
	resolvedParameters: ResolvedParameters;
	/** Names of the operation's own options. */
	optionNames: ReadonlySet<string>;
	/** Whether the node is the human review of a tool call. Read once: `getNode` copies the node (n8n 2.41.1, n8n-core). */
	isReview: boolean;
	eventLoopGate: () => Promise<void>;
	stats: RequestStats;
}

/** The call of one item. There may be 100,000 of them at once, so everything that items have in common is in `runState`. */
class LazyItemCall implements CallWithValues {
	private secretValues: Set<string> | undefined;
	private cachedOptions: IDataObject | undefined;
	private cachedClient: Client | undefined;
	private cachedFields: EvaluatedFields | undefined;

	constructor(
		private readonly runState: RunState,
		readonly itemIndex: number,
		readonly journal: ItemJournal,
	) {
		for (const message of journal.hints) this.hint(message);
	}

	get context() {
		return this.runState.context;
	}

	get service() {
		return this.runState.service;
	}

	get operation() {
		return this.runState.operation;
	}

	get connection() {
		return this.runState.connection;
	}

	get client() {
		const { eventLoopGate, stats } = this.runState;
		return (this.cachedClient ??= new Client(this.connection, {
			...readSendOptions(this.options()),
			signal: this.context.getExecutionCancelSignal(),
			eventLoopGate,
			stats,
		}));
	}

	get values() {
		return this.evaluated().values;
	}

	get simplifies() {
		if (this.operation.simplify === undefined) return false;
		const output = this.parameter('output');
		// Only a tool for agents has the parameter Output, which replaces Simplify in the tool.
		return output === HIDDEN ? this.parameter('simplify') !== false : output !== 'raw';
	}

	get selectedFields() {
		// n8n and later reviews read the output of a human review, so it keeps all fields.
		if (this.runState.isReview) return undefined;
		const names = this.simplifies ? this.parameter('selectedFields') : HIDDEN;
		return Array.isArray(names) && names.length > 0 ? names.map(String) : undefined;
	}

	get recordLimit() {
		return this.parameter('returnAll') === true ? Infinity : readLimit(this.parameter('limit'));
	}

	get shareKey() {
		if (!canShareResult(this.operation) || this.option('askOnce') !== true) return undefined;
		// The limit is written as text, because JSON would turn Infinity into null.
		return toJson([
			this.evaluated(),
			this.options(),
			this.simplifies,
			this.selectedFields,
			`${this.recordLimit}`,
		]);
	}

	parameter(name: string, options?: IGetNodeParameterOptions): unknown {
		return this.runState.parameters.get(name, this.itemIndex, options);
	}

	option(name: string): unknown {
		return this.options()[name];
	}

	addSecret(value: unknown): void {
		// The secret is stored in its text form, as the request contains it. A boolean is excluded: masking `true` or
		// `false` would garble error messages.
		const secretText = typeof value === 'boolean' ? undefined : plainText(value);
		if (secretText === undefined) return;
		this.secrets().add(secretText);
		this.journal.addSecret(secretText);
	}

	secrets(): Set<string> {
		return (this.secretValues ??= new Set([...this.connection.secrets, ...this.journal.secrets]));
	}

	async buildRequest(requestLine?: Operation['request']): Promise<Request> {
		return await buildRequest(this, this.evaluated(), requestLine);
	}

	async send(request: Request): Promise<ServiceResponse> {
		const fullRequest = { ...requestDefaultsOf(this.operation), ...request };
		const { client, journal } = this;
		const response = await journal.send(fullRequest, async () => await client.send(fullRequest));
		const hint = missingRecordHint(response, fullRequest);
		if (hint !== undefined) this.hint(hint);
		return response;
	}

	hint(message: string): void {
		// A hint may quote the service, which may repeat the request with its key.
		const clean = redact(message, this.secrets());
		this.runState.hint(clean);
		this.journal.addHint(clean);
	}

	releaseValues(): void {
		this.cachedFields = undefined;
		this.cachedOptions = undefined;
		this.cachedClient = undefined;
	}

	private options(): IDataObject {
		if (this.cachedOptions) return this.cachedOptions;
		const collection = this.parameter('options');
		return (this.cachedOptions = isRecord(collection) ? collection : {});
	}

	/** Deferred until needed, so that a parameter that cannot be read fails this item only. */
	private evaluated(): EvaluatedFields {
		const { context, operation } = this;
		return (this.cachedFields ??= this.journal.read(() =>
			readFields(operation, {
				timezone: context.getTimezone(),
				onLocalDate: () => this.hint(localDateHint(context.getTimezone())),
				rawValue: (field) => this.rawValue(field),
				rawOrHidden: (field) => this.rawOrHidden(field),
				isSet: (field) => this.isSet(field),
				addSecret: (value) => this.addSecret(value),
				// A parked item has already used its options, and an expression may return another value after the wait.
				ignoresInvalidOptions: parkedStateOf(context) !== undefined,
			}),
		));
	}

	private rawOrHidden({ name }: Field): unknown {
		const { resolvedParameters, optionNames } = this.runState;
		return optionNames.has(name)
			? this.options()[name]
			: resolvedParameters.read(name, this.itemIndex, () => this.parameter(name));
	}

	private rawValue(field: Field): unknown {
		const value = this.rawOrHidden(field);
		return value === HIDDEN ? undefined : value;
	}

	private isSet({ name }: Field): boolean {
		const { parameters, optionNames } = this.runState;
		return optionNames.has(name) ? Object.hasOwn(this.options(), name) : parameters.isFilled(name);
	}
}

function readSendOptions(options: IDataObject): SendOptions {
	const readNumber = (name: 'tries' | 'longestWait' | 'timeLimit', max: number) =>
		clampNumber(options[name], { min: 1, max, fallback: sharedOptionDefaults[name] });
	return {
		maxAttempts: Math.floor(readNumber('tries', 20)),
		maxRetryDelayMs: readNumber('longestWait', 3600) * 1000,
		timeoutMs: readNumber('timeLimit', 3600) * 1000,
	};
}
