import type { IDataObject } from 'n8n-workflow';

import type { PollDefinition } from '../http/pollOnce';
import type { ItemCall } from '../operation';
import type { EndedId } from '../watch';
import type { WaitTarget } from './parkedState';
import type { QuorumDefinition, QuorumWait } from './quorumWait';

/**
 * Output of an item that has begun, and what the item waits for, if anything. It waits for one request, which was sent
 * (`wait`), or for the decision of several people, none of whom was asked yet (`quorum`).
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
	 * Returns how to poll the target. Must return a shared constant and not create an object: the poller keeps the object
	 * after the execution was parked, and it polls IDs together only if they have the identical object.
	 */
	poll: (target: W) => PollDefinition;
	/** Returns the fields that the end of the wait adds to the item's output, or throws to fail the item. */
	conclude: (
		values: V,
		call: ItemCall,
		end: EndedId,
		target: W,
	) => IDataObject | Promise<IDataObject>;
	/** Returns the question that a person is asked, for the editor. `target` is absent if several people decide. */
	questionOf?: (output: IDataObject, target: W | undefined) => string | undefined;
	/** Returns the name of the person who is asked, if it is known. */
	nameOf?: (call: ItemCall, subject: string) => string | undefined;
	/** How several people are asked; required if an item begins with `quorum`. */
	quorum?: QuorumDefinition<V>;
}
