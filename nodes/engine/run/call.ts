import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors';
import type { Field } from '../field';
import { Client, connect } from '../http/client';
import type { Connection } from '../http/client';
import { toJson } from '../http/json';
import type { RequestStats, SendOptions } from '../http/types';
import { isReview } from '../n8n/toolVariants';
import type { Call, Catalog, Operation, Values } from '../operation';
import { canShareResult } from '../operationTraits';
import { sharedOptionDefaults } from '../panel/options';
import { isRecord, clampNumber } from '../values/convert';
import { localDateHint } from '../values/dates';
import { plainText } from '../values/texts';
import { createEventLoopGate } from './eventLoopGate';
import { readFields } from './fields';
import type { EvaluatedFields } from './fields';
import { journalsOf } from './journal';
import type { ItemJournal } from './journal';
import { readLimit } from './limit';
import { ItemNames } from './names';
import { missingRecordHint } from './output';
import { HIDDEN, Parameters } from './parameters';
import { buildRequest, requestDefaultsOf } from './request';

/** A call with its evaluated fields and options. Its getters throw BadInput for a value that cannot be sent. */
export interface OpenCall extends Call {
	readonly values: Values;
	/**
	 * Equal for items that would send equal requests and shape the output in the same way. Undefined unless the user chose that
	 * such items share one answer.
	 */
	readonly shareKey: string | undefined;
}

/** Receives the error with which reading the credential failed. Returns the error to throw instead. */
export type CredentialErrorMapper = (error: unknown) => unknown;

/**
 * Creates one call per input item, for the operation that the user chose. Reads the credential, and the lists that names are
 * looked up in, once for all items.
 */
export async function openCalls(
	context: IExecuteFunctions,
	service: Catalog,
	mapCredentialError: CredentialErrorMapper,
): Promise<{ operation: Operation; calls: OpenCall[]; stats: RequestStats }> {
	const resource = service.resources[`${context.getNodeParameter('resource', 0)}`];
	const operation = resource?.operations[`${context.getNodeParameter('operation', 0)}`];
	if (!operation) {
		const unknownOperation = new Error('This operation does not exist: choose one from the list');
		throw toNodeError(context.getNode(), unknownOperation, undefined);
	}
	let connection: Connection;
	try {
		connection = await connect(context, service);
	} catch (error) {
		throw toNodeError(context.getNode(), mapCredentialError(error), undefined);
	}
	const hints = new Set<string>();
	const hint = (message: string) => {
		if (hints.has(message)) return;
		hints.add(message);
		context.addExecutionHints({ message, location: 'outputPane' });
	};
	const parameters = new Parameters(context);
	const names = new ItemNames(parameters, operation, service);
	const eventLoopGate = createEventLoopGate();
	const stats: RequestStats = { requests: 0, retries: 0, pausedMs: 0 };
	const shared = {
		context,
		service,
		operation,
		connection,
		parameters,
		names,
		eventLoopGate,
		stats,
		hint,
	};
	const journalOf = journalsOf(context, operation);
	const calls = context
		.getInputData()
		.map((_, itemIndex) => openCall(shared, itemIndex, journalOf(itemIndex)));
	await names.resolve(calls, eventLoopGate);
	return { operation, calls, stats };
}

type Shared = Pick<Call, 'context' | 'service' | 'operation' | 'hint'> & {
	connection: Connection;
	parameters: Parameters;
	names: ItemNames;
	eventLoopGate: () => Promise<void>;
	stats: RequestStats;
};

function openCall(
	{ connection, parameters, names, eventLoopGate, stats, ...shared }: Shared,
	itemIndex: number,
	journal: ItemJournal,
): OpenCall {
	const { context, operation } = shared;
	const secrets = new Set([...connection.secrets, ...journal.secrets]);
	const keepSecret = (value: unknown) => {
		// The text form, as the request contains it. A boolean is excluded: masking `true` or `false` would garble error messages.
		const secretText = typeof value === 'boolean' ? undefined : plainText(value);
		if (secretText === undefined) return;
		secrets.add(secretText);
		journal.keepSecret(secretText);
	};
	const hint = (message: string) => {
		shared.hint(message);
		journal.keepHint(message);
	};
	for (const message of journal.hints) hint(message);
	const parameter: Call['parameter'] = (name, options) => parameters.get(name, itemIndex, options);
	let cachedOptions: IDataObject | undefined;
	const options = (): IDataObject => {
		if (cachedOptions) return cachedOptions;
		const collection = parameter('options');
		return (cachedOptions = isRecord(collection) ? collection : {});
	};
	const optionNames = new Set(operation.options?.map(({ name }) => name));
	const rawOrHidden = ({ name }: Field) =>
		optionNames.has(name) ? options()[name] : names.read(name, itemIndex, () => parameter(name));
	const rawValue = (field: Field) => {
		const value = rawOrHidden(field);
		return value === HIDDEN ? undefined : value;
	};
	const isSet = ({ name }: Field) =>
		optionNames.has(name) ? Object.hasOwn(options(), name) : parameters.isFilled(name);
	let client: Client | undefined;
	let cachedFields: EvaluatedFields | undefined;
	// Deferred until needed, so that a parameter that cannot be read fails this item only.
	const evaluated = () =>
		(cachedFields ??= journal.read(() =>
			readFields(operation, {
				timezone: context.getTimezone(),
				onLocalDate: () => hint(localDateHint(context.getTimezone())),
				rawValue,
				rawOrHidden,
				isSet,
				keepSecret,
			}),
		));
	const call: OpenCall = {
		...shared,
		itemIndex,
		journal,
		hint,
		get client() {
			return (client ??= new Client(connection, {
				...sendOptions(options()),
				signal: context.getExecutionCancelSignal(),
				eventLoopGate,
				stats,
			}));
		},
		get values() {
			return evaluated().values;
		},
		get simplifies() {
			if (operation.simplify === undefined) return false;
			const output = parameter('output');
			// Only a tool for agents has the parameter Output; it replaces Simplify there.
			return output === HIDDEN ? parameter('simplify') !== false : output !== 'raw';
		},
		get selectedFields() {
			// n8n and later reviews read the output of a human review, so it keeps all fields.
			if (isReview(context.getNode())) return undefined;
			const names = call.simplifies ? parameter('selectedFields') : HIDDEN;
			return Array.isArray(names) && names.length > 0 ? names.map(String) : undefined;
		},
		get recordLimit() {
			return parameter('returnAll') === true ? Infinity : readLimit(parameter('limit'));
		},
		get shareKey() {
			if (!canShareResult(operation) || call.option('askOnce') !== true) return undefined;
			// The limit as text: JSON would turn Infinity into null.
			return toJson([
				evaluated(),
				options(),
				call.simplifies,
				call.selectedFields,
				`${call.recordLimit}`,
			]);
		},
		parameter,
		option: (name) => options()[name],
		keepSecret,
		secrets: () => secrets,
		buildRequest: async (row) => await buildRequest(call, evaluated(), row),
		send: async (request) => {
			const fullRequest = { ...requestDefaultsOf(operation), ...request };
			const { client: sender } = call;
			const response = await journal.send(fullRequest, async () => await sender.send(fullRequest));
			const hint = missingRecordHint(response, fullRequest);
			if (hint !== undefined) call.hint(hint);
			return response;
		},
	};
	return call;
}

function sendOptions(options: IDataObject): SendOptions {
	const number = (name: 'tries' | 'longestWait' | 'timeLimit', most: number) =>
		clampNumber(1, options[name], most, sharedOptionDefaults[name]);
	return {
		maxAttempts: Math.floor(number('tries', 20)),
		maxRetryDelayMs: number('longestWait', 3600) * 1000,
		timeoutMs: number('timeLimit', 3600) * 1000,
	};
}
