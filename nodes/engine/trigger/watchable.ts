import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { Client } from '../http/client';
import type { Answer, Request, Service } from '../http/types';
import type { Verdict, Watched } from '../watch';

/** One question about an id, for whoever reads the answer to it. */
export interface Asked {
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
	/** The name that the service's own nodes give its id. */
	idName: string;
	/** How its id is asked after. */
	request(id: string): Request;
	/** What an answer means; a result becomes part of the item that starts the workflow. */
	read(answer: Answer, asked: Asked): Verdict | Promise<Verdict>;
	/** All the ways in which it can end. */
	outcomes: INodePropertyOptions[];
	/** Reads who is expected to answer, where the service can check that; throws BadInput for what cannot be. */
	subject?: (given: unknown) => string | undefined;
	/** Throws BadInput for options of its own that cannot be, so that the trigger does not start with them. */
	check?: (options: IDataObject) => void;
}

/** The ends that every watcher knows, whatever the service. */
export const commonOutcomes = (noun: string, service: string): INodePropertyOptions[] => [
	{
		name: 'Gone',
		value: 'gone',
		description: `The ${service} does not know the ${noun} any more, or never did`,
	},
	{
		name: 'Still Outstanding',
		value: 'stillOutstanding',
		description: 'Nothing was decided before Stop Watching After (see the options) was over',
	},
];
