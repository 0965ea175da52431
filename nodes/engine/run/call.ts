import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors';
import { rowRequest } from './fields';
import type { Call, Catalog, Operation } from '../operation';
import { defaults } from '../panel/options';
import { Client, connect } from '../http/client';
import type { Connection } from '../http/client';
import type { SendOptions } from '../http/types';
import { plainText } from '../values/texts';
import { within } from '../values/convert';

/** Opens one call per input item of the operation that the user chose; the credential is read once for all. */
export async function openCalls(
	context: IExecuteFunctions,
	service: Catalog,
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

type Shared = Pick<Call, 'context' | 'service' | 'operation' | 'hint'> & {
	connection: Connection;
};

function openCall({ connection, ...shared }: Shared, itemIndex: number): Call {
	const { context, operation } = shared;
	const secrets = new Set(connection.secrets);
	// n8n gives a hidden field no value, and throws when asked for one.
	const hidden = (name: string) =>
		context.getNodeParameter(name, itemIndex, null, { rawExpressions: true }) === null;
	const field = (name: string, fallback?: unknown) =>
		hidden(name)
			? fallback
			: context.getNodeParameter(name, itemIndex, fallback, { extractValue: true });
	const options = () => (field('options', {}) ?? {}) as IDataObject;
	let client: Client | undefined;
	const call: Call = {
		...shared,
		itemIndex,
		timezone: context.getTimezone(),
		// Only when it is needed: an option that cannot be read is the failure of this item alone.
		get client() {
			return (client ??= new Client(
				connection,
				sendOptions(options(), context.getExecutionCancelSignal()),
			));
		},
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
			await call.client.send({
				repeatable: operation.repeatable,
				effect: operation.effect,
				accept: operation.accept,
				...request,
			}),
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
