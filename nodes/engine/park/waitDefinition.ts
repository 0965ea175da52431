import type { IDataObject } from 'n8n-workflow';

import type { PollDefinition } from '../http/pollOnce';
import type { ItemCall } from '../operation';
import type { EndedId } from '../watch';
import type { WaitTarget } from './parkedState';
import type { QuorumDefinition, QuorumWait } from './quorumWait';

/**
 * Output of an item that has begun, and what the item waits for, if anything: one request, which was sent; or the decision of
 * several people, of whom none was asked yet.
 */
export interface BegunItem<W extends WaitTarget = WaitTarget> {
	output: IDataObject;
	wait?: W;
	quorum?: Pick<QuorumWait, 'policy' | 'data'>;
}

/** How an operation waits. n8n stores `W` with the execution, across restarts, so `W` is plain JSON. */
export interface WaitDefinition<V, W extends WaitTarget> {
	begin: (values: V, call: ItemCall) => Promise<BegunItem<W>>;
	/**
	 * Returns how to poll the target. Must return a shared constant and not create an object: the poller keeps it after the
	 * execution was parked, and polls together only IDs with the identical object.
	 */
	poll: (target: W) => PollDefinition;
	/** Returns the fields that the end adds to the output of its item, or throws to fail the item. */
	conclude: (
		values: V,
		call: ItemCall,
		end: EndedId,
		target: W,
	) => IDataObject | Promise<IDataObject>;
	/** How several people are asked; required if an item begins with `quorum`. */
	quorum?: QuorumDefinition<V>;
}
