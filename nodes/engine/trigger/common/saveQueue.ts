import type { IDataObject } from 'n8n-workflow';

/** Somebody who has handed in ids and waits until they are saved. */
export interface WaitingRequest {
	node: string;
	running: { column(): IDataObject };
	/** Whether the answer still reaches anybody. */
	isConnected(): boolean;
}

/** What falls to the one who saves. */
export interface SaveLock {
	/** For whom: all that they have handed in is known by now. */
	requests: WaitingRequest[];
	/** To be called when that is over: lets these resolve if it was saved, has one of them save it otherwise. */
	release(saved: boolean): void;
}

interface QueuedRequest {
	waiting: WaitingRequest;
	resolve(lock?: SaveLock): void;
}

/**
 * Lets requests save the static data of a workflow one after the other: n8n writes the whole column, so an older list must not
 * land after a newer one. n8n keeps much in memory for each request that waits, so they are not kept for long: one of those who
 * wait saves for all of them.
 */
export class SaveQueue {
	/** Who waits, by workflow, as long as somebody saves. */
	private readonly queues = new Map<string, QueuedRequest[]>();

	/** Gives the turn to save, or nothing once somebody else has saved it all. */
	async acquire(workflow: string, waiting: WaitingRequest): Promise<SaveLock | undefined> {
		const queue = this.queues.get(workflow);
		if (queue) return await new Promise((resolve) => queue.push({ waiting, resolve }));
		this.queues.set(workflow, []);
		return this.lockFor(workflow, waiting, []);
	}

	private lockFor(workflow: string, saver: WaitingRequest, others: QueuedRequest[]): SaveLock {
		let isReleased = false;
		return {
			requests: [saver, ...others.map(({ waiting }) => waiting)],
			release: (saved) => {
				if (isReleased) return;
				isReleased = true;
				if (saved) for (const { resolve } of others) resolve();
				else this.queues.set(workflow, [...others, ...(this.queues.get(workflow) ?? [])]);
				this.next(workflow);
			},
		};
	}

	/** Whoever has hung up saves nothing and was promised nothing: what they handed in is saved with what comes next. */
	private next(workflow: string): void {
		const queue = this.queues.get(workflow) ?? [];
		const saver = queue.find(({ waiting }) => waiting.isConnected());
		if (!saver) {
			this.queues.delete(workflow);
			for (const { resolve } of queue) resolve();
			return;
		}
		this.queues.set(workflow, []);
		const others = queue.filter((entry) => entry !== saver);
		saver.resolve(this.lockFor(workflow, saver.waiting, others));
	}
}
