import type { IDataObject } from 'n8n-workflow';

/** Somebody who has handed in ids and waits until they are saved. */
export interface WaitingRequest {
	node: string;
	running: { column(): IDataObject };
	/** Whether the answer still reaches anybody. */
	present(): boolean;
}

/** What falls to the one who saves. */
export interface SaveTurn {
	/** For whom: all that they have handed in is known by now. */
	all: WaitingRequest[];
	/** To be called when that is over: lets these go if it was saved, has one of them save it otherwise. */
	end(saved: boolean): void;
}

interface Entry {
	waiting: WaitingRequest;
	go(turn?: SaveTurn): void;
}

/**
 * Lets requests save the static data of a workflow one after the other: n8n writes the whole column, so an older list must not
 * land after a newer one. n8n keeps much in memory for each request that waits, so they are not kept for long: one of those who
 * wait saves for all of them.
 */
export class SaveQueue {
	/** Who waits, by workflow, as long as somebody saves. */
	private readonly queues = new Map<string, Entry[]>();

	/** Gives the turn to save, or nothing once somebody else has saved it all. */
	async turn(workflow: string, waiting: WaitingRequest): Promise<SaveTurn | undefined> {
		const line = this.queues.get(workflow);
		if (line) return await new Promise((go) => line.push({ waiting, go }));
		this.queues.set(workflow, []);
		return this.turnFor(workflow, waiting, []);
	}

	private turnFor(workflow: string, saver: WaitingRequest, others: Entry[]): SaveTurn {
		let over = false;
		return {
			all: [saver, ...others.map(({ waiting }) => waiting)],
			end: (saved) => {
				if (over) return;
				over = true;
				if (saved) for (const { go } of others) go();
				else this.queues.set(workflow, [...others, ...(this.queues.get(workflow) ?? [])]);
				this.next(workflow);
			},
		};
	}

	/** Whoever has hung up saves nothing and was promised nothing: what they handed in is saved with what comes next. */
	private next(workflow: string): void {
		const line = this.queues.get(workflow) ?? [];
		const saver = line.find(({ waiting }) => waiting.present());
		if (!saver) {
			this.queues.delete(workflow);
			for (const { go } of line) go();
			return;
		}
		this.queues.set(workflow, []);
		const others = line.filter((entry) => entry !== saver);
		saver.go(this.turnFor(workflow, saver.waiting, others));
	}
}
