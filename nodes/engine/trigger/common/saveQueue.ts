import type { IDataObject } from 'n8n-workflow';

/** A request that submitted IDs and waits until they are saved. */
export interface WaitingRequest {
	nodeId: string;
	trigger: { storedState(): IDataObject };
	/** Whether the caller still waits for the response. */
	isConnected(): boolean;
}

/** The exclusive right to save the static data of a workflow. */
export interface SaveLock {
	/** The requests that are saved together: all of their IDs are already added. */
	requests: WaitingRequest[];
	/**
	 * Must be called when the save has ended. If the save succeeded, these requests are done; otherwise another waiting
	 * request saves for them.
	 */
	release(isSaved: boolean): void;
}

interface QueuedRequest {
	request: WaitingRequest;
	resolve(lock?: SaveLock): void;
}

/**
 * Serializes the saves of a workflow's static data that requests cause. n8n 2.41.1 writes the whole column, so an older
 * state must not be written after a newer one. n8n holds much memory for each waiting request, so one request saves for all
 * that wait.
 */
export class SaveQueue {
	/** The waiting requests by workflow; an entry exists while a request saves. */
	private readonly queues = new Map<string, QueuedRequest[]>();

	/**
	 * Returns the lock, or undefined once another request has saved this request's IDs or all waiting callers have
	 * disconnected.
	 */
	async acquire(workflowId: string, request: WaitingRequest): Promise<SaveLock | undefined> {
		const queue = this.queues.get(workflowId);
		if (queue) return await new Promise((resolve) => queue.push({ request, resolve }));
		this.queues.set(workflowId, []);
		return this.lockFor(workflowId, request, []);
	}

	private lockFor(workflowId: string, saver: WaitingRequest, others: QueuedRequest[]): SaveLock {
		let isReleased = false;
		return {
			requests: [saver, ...others.map(({ request }) => request)],
			release: (isSaved) => {
				if (isReleased) return;
				isReleased = true;
				if (isSaved) for (const { resolve } of others) resolve();
				else this.queues.set(workflowId, [...others, ...(this.queues.get(workflowId) ?? [])]);
				this.passLock(workflowId);
			},
		};
	}

	/**
	 * Passes the lock to the next connected request. A request that has disconnected does not save. Its caller received no
	 * acknowledgement, and the next save includes its IDs.
	 */
	private passLock(workflowId: string): void {
		const queue = this.queues.get(workflowId) ?? [];
		const saver = queue.find(({ request }) => request.isConnected());
		if (!saver) {
			this.queues.delete(workflowId);
			for (const { resolve } of queue) resolve();
			return;
		}
		this.queues.set(workflowId, []);
		const others = queue.filter((entry) => entry !== saver);
		saver.resolve(this.lockFor(workflowId, saver.request, others));
	}
}
