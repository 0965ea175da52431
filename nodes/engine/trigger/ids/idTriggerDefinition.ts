import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { Client } from '../../http/client';
import type { ServiceResponse, Request, Service } from '../../http/types';
import type { Operation } from '../../operation';
import type { OutputShape } from '../../run/output';
import type { PollResult, WatchedId } from '../../watch';

/** The context in which a service interprets a response. */
export interface PollContext {
	watched: WatchedId;
	/** Sends further requests, with one attempt each, since the watcher decides about retries. */
	client: Client;
	/** The values of the node's 'Options'. */
	options: IDataObject;
}

/** Definition of a service's trigger that watches IDs until the service has finished their objects. */
export interface IdTriggerDefinition {
	service: Service;
	/** The singular noun for messages. */
	noun: string;
	/** Display name of the operation that creates the watched objects, for texts in the panel. */
	createdBy: string;
	/** The shape of the item that starts the workflow: the same as the output of the service's own node. */
	shape: Required<Pick<Operation, 'simplify' | 'outputSchema'>> & OutputShape;
	/** Returns the request that polls one ID. */
	request(id: string): Request;
	/** Interprets a response; `result` becomes part of the item that starts the workflow. */
	interpret(response: ServiceResponse, context: PollContext): PollResult | Promise<PollResult>;
	/** Returns when an ID ended, by the service's clock; undefined if neither `interpret`'s result nor the response says so. */
	endedAt?(result: unknown, response: ServiceResponse): number | undefined;
	/** All outcomes that an ID can end with: the options of Trigger On. */
	outcomes: INodePropertyOptions[];
	/** Reads the expected person, where the service can check who answered; throws BadInput for an invalid value. */
	readSubject?: (value: unknown) => string | undefined;
	/** Throws BadInput for invalid options of the service, so that the trigger does not start with them. */
	validateOptions?: (options: IDataObject) => void;
}

/** Fields that an ID trigger adds to the simplified item, for n8n's preview. */
export const idTriggerFields = { data: 'object', finishedAt: 'string' } as const;

/** The outcomes that every watcher can produce, independent of the service. */
export const commonOutcomes = (noun: string): INodePropertyOptions[] => [
	{
		name: 'Gone',
		value: 'gone',
		action: `On ${noun} gone`,
		description: 'The service no longer knows this ID',
	},
	{
		name: 'Still Outstanding',
		value: 'stillOutstanding',
		action: `On ${noun} still outstanding`,
		description: "Not finished within 'Stop Watching After'",
	},
];
