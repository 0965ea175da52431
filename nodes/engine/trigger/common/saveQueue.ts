import type { IDataObject } from 'n8n-workflow';

/** Somebody who has handed in ids and waits until they are saved. */
export interface Waiting {
	node: string;
	running: { column(): IDataObject };
	/** Whether the answer still reaches anybody. */
	present(): boolean;
}

/** What falls to the one who saves. */
export interface Turn {
	/** For whom: all that they have handed in is known by now. */
	all: Waiting[];
	/** To be called when that is over: lets these go if it was saved, has one of them save it otherwise. */
	end(saved: boolean): void;
}

interface Entry {
	waiting: Waiting;
	go(turn?: Turn): void;
}

/**
 * Lets requests save the static data of a workflow one after the other: n8n writes the whole column, so an older list must not
 * land after a newer one. n8n keeps much in memory for each request that waits, so they are not kept for long: one of those who
 * wait saves for all of them.
 */
export class SaveLine {
	/** Who waits, by workflow, as long as somebody saves. */
	private readonly lines = new Map<string, Entry[]>();

	/** Gives the turn to save, or nothing once somebody else has saved it all. */
	async turn(workflow: string, waiting: Waiting): Promise<Turn | undefined> {
		const line = this.lines.get(workflow);
		if (line) return await new Promise((go) => line.push({ waiting, go }));
		this.lines.set(workflow, []);
		return this.turnFor(workflow, waiting, []);
	}

	private turnFor(workflow: string, saver: Waiting, others: Entry[]): Turn {
		let over = false;
		return {
			all: [saver, ...others.map(({ waiting }) => waiting)],
			end: (saved) => {
				if (over) return;
				over = true;
				if (saved) for (const { go } of others) go();
				else this.lines.set(workflow, [...others, ...(this.lines.get(workflow) ?? [])]);
				this.next(workflow);
			},
		};
	}

	/** Whoever has hung up saves nothing and was promised nothing: what they handed in is saved with what comes next. */
	private next(workflow: string): void {
		const line = this.lines.get(workflow) ?? [];
		const saver = line.find(({ waiting }) => waiting.present());
		if (!saver) {
			this.lines.delete(workflow);
			for (const { go } of line) go();
			return;
		}
		this.lines.set(workflow, []);
		const others = line.filter((entry) => entry !== saver);
		saver.go(this.turnFor(workflow, saver.waiting, others));
	}
}
