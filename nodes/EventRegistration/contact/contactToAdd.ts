import type { Request } from '../../engine/http/types';
import type { ItemCall } from '../../engine/operation';
import type { Body } from '../form/mappedValues';

/** One contact to add, with the call of its item. */
export interface ContactToAdd {
	call: ItemCall;
	listId: string;
	contact: Body;
	/** The request that adds contacts to the list, without a body. */
	request: Request;
	/** Maximum number of contacts in one request. */
	batchSize: number;
	/** Whether a rejected batch is sent again in parts, so that only the invalid contacts fail. */
	splitsRejected: boolean;
}
