import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors';
import type { Field } from '../field';
import { Client, connect } from '../http/client';
import type { Connection } from '../http/client';
import type { SendOptions } from '../http/types';
import type { Call, Catalog, Operation, Values } from '../operation';
import { defaults } from '../panel/options';
import { isRecord, within } from '../values/convert';
import { plainText } from '../values/texts';
import { HIDDEN, readFields } from './fields';
import type { ItemReading } from './fields';
import { ofOperation, rowRequest } from './request';

/** A call, and what its fields and options came to. Reading them throws BadInput for what cannot be sent. */
export interface OpenCall extends Call {
	readonly values: Values;
}

/** Opens one call per input item of the operation that the user chose; the credential is read once for all. */
export async function openCalls(
	context: IExecuteFunctions,
	service: Catalog,
): Promise<{ operation: Operation; calls: OpenCall[] }> {
	const resource = service.resources[`${context.getNodeParameter('resource', 0)}`];
	const operation = resource?.operations[`${context.getNodeParameter('operation', 0)}`];
	if (!operation) {
		const gone = new Error('This operation does not exist: choose one from the list');
		throw toNodeError(context.getNode(), gone, undefined);
	}
	let connection: Connection;
	try {
		connection = await connect(context, service);
	} catch (error) {
		throw toNodeError(context.getNode(), error, undefined);
	}
	const hints = new Set<string>();
	const hint = (message: string) => {
		if (hints.has(message)) return;
		hints.add(message);
		context.addExecutionHints({ message, location: 'outputPane' });
	};
	const shared = { context, service, operation, connection, hint };
	const calls = context.getInputData().map((_, itemIndex) => openCall(shared, itemIndex));
	return { operation, calls };
}

type Shared = Pick<Call, 'context' | 'service' | 'operation' | 'hint'> & {
	connection: Connection;
};

function openCall({ connection, ...shared }: Shared, itemIndex: number): OpenCall {
	const { context, operation } = shared;
	const secrets = new Set(connection.secrets);
	const keepSecret = (value: unknown) => {
		// As it goes out; a yes or no is no secret, and would blank out words.
		const written = typeof value === 'boolean' ? undefined : plainText(value);
		if (written !== undefined) secrets.add(written);
	};
	// n8n gives a hidden field no value, and throws when asked for one.
	const hides = (name: string) =>
		context.getNodeParameter(name, itemIndex, null, { rawExpressions: true }) === null;
	const parameter = (name: string): unknown =>
		hides(name)
			? HIDDEN
			: context.getNodeParameter(name, itemIndex, undefined, { extractValue: true });
	const options = (): IDataObject => {
		const given = parameter('options');
		return isRecord(given) ? given : {};
	};
	const optional = new Set(operation.options?.map(({ name }) => name));
	const raw = ({ name }: Field) => (optional.has(name) ? options()[name] : parameter(name));
	const given = (field: Field) => {
		const value = raw(field);
		return value === HIDDEN ? undefined : value;
	};
	let client: Client | undefined;
	let read: ItemReading | undefined;
	// Only when it is needed: what cannot be read is the failure of this item alone.
	const reading = () =>
		(read ??= readFields(operation, { timezone: context.getTimezone(), given, raw, keepSecret }));
	const call: OpenCall = {
		...shared,
		itemIndex,
		get client() {
			return (client ??= new Client(
				connection,
				sendOptions(options(), context.getExecutionCancelSignal()),
			));
		},
		get values() {
			return reading().values;
		},
		get simplifies() {
			return operation.simplify !== undefined && parameter('simplify') !== false;
		},
		get wanted() {
			const all = parameter('returnAll') === true;
			return all ? Infinity : Math.floor(within(1, parameter('limit'), Infinity, 50));
		},
		option: (name) => options()[name],
		keepSecret,
		secrets: () => secrets,
		request: async () => await rowRequest(call, reading()),
		send: async (request) => await call.client.send({ ...ofOperation(operation), ...request }),
	};
	return call;
}

/** How requests are sent under the options that the user set. */
function sendOptions(options: IDataObject, signal?: AbortSignal): SendOptions {
	const number = (name: 'tries' | 'longestWait' | 'timeLimit', most: number) =>
		within(1, options[name], most, defaults[name]);
	return {
		tries: Math.floor(number('tries', 20)),
		longestWaitMs: number('longestWait', 3600) * 1000,
		timeLimitMs: number('timeLimit', 3600) * 1000,
		signal,
	};
}
