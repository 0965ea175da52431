import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';

import type { Client } from '../../http/client';
import type { Paging } from '../../http/pages';
import type { Request, Service } from '../../http/types';
import type { Operation } from '../../operation';
import type { RecordChange, Source } from './core';

/** A list of a service that a trigger follows, with how it is read and what comes of its changes. */
export interface FollowedList extends Source {
	/** The list, or what has changed in it since a time, as an ISO text. */
	request: (since: string | undefined) => Request;
	paging: Paging;
	/** Whether what it belongs to is gone, which the list itself need not tell: an empty list may look the same. */
	gone?: boolean;
	/** Looks up what comes out besides the records of a page, before they are taken. */
	prepare?: (client: Client, records: IDataObject[]) => Promise<void>;
	/** What a workflow starts with. */
	item: (change: Pick<RecordChange, 'kind' | 'record'>) => IDataObject;
}

/** What the user has chosen to follow. */
export interface FollowPlan {
	/** The kinds of changes that start the workflow. */
	kinds: ReadonlySet<string>;
	/** Finds out which lists there are to follow now; asks the service only for what can change. */
	find: (client: Client) => Promise<FoundLists>;
}

/** The lists to follow now. */
export interface FoundLists {
	sources: FollowedList[];
	/** The time at the service when it answered, if it was asked. */
	date?: number;
}

/** What a trigger follows at a service. */
export interface Followable {
	service: Service;
	/** How messages call what is narrowed down if there is too much of it, such as "choose one event". */
	narrower: string;
	/** What comes out, for n8n's previews: what is added to a record, and the operations that put out the same records. */
	yields: { added: Operation['yields']; as: Operation[] };
	/** Reads the node's parameters, once; throws BadInput for what cannot be. */
	plan: (context: ITriggerFunctions, options: IDataObject) => FollowPlan;
}
