import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { Client } from '../../http/client';
import type { Answer, Request, Service } from '../../http/types';
import type { Operation } from '../../operation';
import type { Shape } from '../../run/output';
import type { PollResult, Watched } from './core';

/** One question about an id, for whoever reads the answer to it. */
export interface PollContext {
	watched: Watched;
	/** Sends what else must be asked: once, since the watcher decides about another try. */
	client: Client;
	/** The node's optional settings. */
	options: IDataObject;
}

/** What a trigger watches: a kind of thing that a service finishes sooner or later. */
export interface Watchable {
	service: Service;
	/** How messages call one of them. */
	noun: string;
	/** The operation that makes one, as its node calls it: "Thing: Create". */
	maker: string;
	/** What the item that starts the workflow looks like: as what the service's own node puts out. */
	shape: Required<Pick<Operation, 'simplify' | 'yields'>> & Shape;
	/** How its id is asked after. */
	request(id: string): Request;
	/** What an answer means; a result becomes part of the item that starts the workflow. */
	read(answer: Answer, asked: PollContext): PollResult | Promise<PollResult>;
	/** All the ways in which it can end. */
	outcomes: INodePropertyOptions[];
	/** Reads who is expected to answer, where the service can check that; throws BadInput for what cannot be. */
	subject?: (given: unknown) => string | undefined;
	/** Throws BadInput for options of its own that cannot be, so that the trigger does not start with them. */
	check?: (options: IDataObject) => void;
}

/** What the item of every trigger holds besides, for n8n's preview. */
export const itemYields = { data: 'object', finishedAt: 'string' } as const;

/** The ends that every watcher knows, whatever the service. */
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
