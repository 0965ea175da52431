import type { Request } from '../../engine/http/types';
import type { Call } from '../../engine/operation';
import type { Body } from '../form/form';

/** One contact to add, and the item that it comes from. */
export interface Entry {
	call: Call;
	listId: string;
	contact: Body;
	/** The request that adds contacts to the list, without any. */
	request: Request;
	/** How many go into one request at most. */
	batchSize: number;
	/** Whether a refused array is sent again in parts, so that only those that are not valid fail. */
	splitsRejected: boolean;
}
