import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors';
import { rowRequest } from './fields';
import type { Call, Operation, Service } from '../operation';
import { defaults } from '../panel/options';
import { connect } from '../http/client';
import type { Connection, Manner } from '../http/client';
import { plainText } from '../values/texts';
import { within } from '../values/convert';

/** Opens one call per input item of the operation that the user chose; the credential is read once for all. */
export async function openCalls(
	context: IExecuteFunctions,
	service: Service,
): Promise<{ operation: Operation; calls: Call[] }> {
	const resource = service.resources[context.getNodeParameter('resource', 0) as string];
	const operation = resource?.operations[context.getNodeParameter('operation', 0) as string];
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
	const calls = context
		.getInputData()
		.map((_, itemIndex) => openCall({ context, service, operation, connection, hint }, itemIndex));
	return { operation, calls };
}

type Shared = Pick<Call, 'context' | 'service' | 'operation' | 'connection' | 'hint'>;

function openCall(shared: Shared, itemIndex: number): Call {
	const { context, operation, connection } = shared;
	const secrets = new Set(connection.secrets);
	// n8n gives a hidden field no value, and throws when asked for one.
	const hidden = (name: string) =>
		context.getNodeParameter(name, itemIndex, null, { rawExpressions: true }) === null;
	const field = (name: string, fallback?: unknown) =>
		hidden(name)
			? fallback
			: context.getNodeParameter(name, itemIndex, fallback, { extractValue: true });
	const options = () => (field('options', {}) ?? {}) as IDataObject;
	const call: Call = {
		...shared,
		itemIndex,
		timezone: context.getTimezone(),
		field,
		option: (name, fallback) => options()[name] ?? fallback,
		keepSecret: (value) => {
			// As it goes out; a yes or no is no secret, and would blank out words.
			const written = typeof value === 'boolean' ? undefined : plainText(value);
			if (written !== undefined) secrets.add(written);
		},
		secrets: () => secrets,
		request: async () => await rowRequest(call),
		send: async (request) =>
			await connection.send(
				{
					repeatable: operation.repeatable,
					effect: operation.effect,
					accept: operation.accept,
					...request,
				},
				manner(options(), context.getExecutionCancelSignal()),
			),
	};
	return call;
}

/** How the requests of one item are sent, by its own options. */
export const mannerOf = (call: Call): Manner =>
	manner((call.field('options', {}) ?? {}) as IDataObject, call.context.getExecutionCancelSignal());

/** How requests are sent under the given options. */
export function manner(options: IDataObject, signal?: AbortSignal): Manner {
	const number = (name: 'tries' | 'longestWait' | 'timeLimit', most: number) =>
		within(1, options[name], most, defaults[name]);
	return {
		tries: Math.floor(number('tries', 20)),
		longestWaitMs: number('longestWait', 3600) * 1000,
		timeLimitMs: number('timeLimit', 3600) * 1000,
		signal,
	};
}
