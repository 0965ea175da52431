import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';

import type { Client } from '../../http/client';
import type { Paging } from '../../http/pages';
import type { Request, Service } from '../../http/types';
import type { Operation } from '../../operation';
import type { DiscoveredLists, RecordChange, ListDefinition } from './core';
import type { ResolvedNames } from './resolvedNames';

/** A list of a service that a trigger follows: how to read it, and the item that each change becomes. */
export interface FollowedList extends ListDefinition {
	/** Builds the request for the list, filtered by 'changed since' (an ISO 8601 text) if given. */
	request: (since: string | undefined) => Request;
	paging: Paging;
	/**
	 * Whether the list's owner, such as its event, no longer exists. The list itself cannot show that, since the service may
	 * return an empty one.
	 */
	isOwnerGone?: boolean;
	/**
	 * Looks up data that items contain besides the record, such as names. Runs before the page's records are processed: if it
	 * throws, the poll fails and is retried.
	 */
	prepare?: (client: Client, records: IDataObject[]) => Promise<void>;
	/** Returns the item that the workflow starts with. */
	buildItem: (change: Pick<RecordChange, 'kind' | 'record'>) => IDataObject;
}

/** Returns the item of a change. The trigger's own fields come first, and no field of the service replaces them. */
export const itemOfChange = (
	own: { change: string; record: string },
	fields: IDataObject,
): IDataObject => ({ ...own, ...fields, ...own });

/** Marks a list whose owner no longer exists. `noun` is the type of the owner in messages, such as `event`. */
export const missingOwnerFields = (
	noun: string,
	id: string,
	name?: string,
): Pick<FollowedList, 'isOwnerGone' | 'missingOwner'> => ({
	isOwnerGone: true,
	missingOwner: { noun, name: name ? `${noun} "${name}" (${id})` : `${noun} ${id}` },
});

/** The user's selection of lists and changes. */
export interface FollowPlan {
	/** The kinds of changes that start the workflow. */
	kinds: ReadonlySet<string>;
	/**
	 * Discovers the lists to follow. Called in every round, so it requests only data that may have changed since the last
	 * round.
	 */
	discover: (client: Client) => Promise<FollowedListDiscovery>;
	/** The names that `discover` looks up. A published trigger restores and saves them. */
	names?: ResolvedNames;
}

/** The lists to follow now. */
export type FollowedListDiscovery = DiscoveredLists<FollowedList>;

/** Definition of a service's trigger that follows lists. */
export interface ListTriggerDefinition {
	service: Service;
	/** Advice in messages about too many records, such as "choose one event". */
	narrowingAdvice: string;
	/**
	 * The output, for n8n's previews: the fields that the trigger adds to a record, and the operations that return the same
	 * records.
	 */
	outputSchema: { addedFields: Operation['outputSchema']; returnedBy: Operation[] };
	/** Reads the node's parameters, once. Throws BadInput for invalid ones. */
	plan: (context: ITriggerFunctions, options: IDataObject) => FollowPlan;
}
