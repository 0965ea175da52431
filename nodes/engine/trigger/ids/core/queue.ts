interface Item {
	id: string;
	at: number;
	order: number;
}

const before = (a: Item, b: Item): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/**
 * Ids, each with a time. Gives out the earliest first, those of the same time in the order they came. Setting, removing and
 * taking cost the logarithm of the size, so that ten thousand ids are no burden.
 */
export class DueQueue {
	private readonly times = new Map<string, Item>();
	private heap: Item[] = [];
	private count = 0;

	get size(): number {
		return this.times.size;
	}

	/** Puts an id in, or moves it to another time. */
	set(id: string, at: number): void {
		const item = { id, at, order: this.count++ };
		this.times.set(id, item);
		this.push(item);
		// What was moved, removed or taken stays in the heap until its turn; now and then that is cleared out.
		if (this.heap.length > 2 * this.times.size + 64) {
			this.heap = [];
			for (const kept of this.times.values()) this.push(kept);
		}
	}

	/** Takes an id out, if it is in. */
	delete(id: string): void {
		this.times.delete(id);
	}

	/** The time of an id, if it is in. */
	timeOf(id: string): number | undefined {
		return this.times.get(id)?.at;
	}

	/** The time of the first id; `Infinity` when there is none. */
	next(): number {
		return this.first()?.at ?? Infinity;
	}

	/** Takes out the first id if its time has come. */
	take(at: number): { id: string; at: number } | undefined {
		const item = this.first();
		if (!item || item.at > at) return undefined;
		this.delete(item.id);
		return item;
	}

	private first(): Item | undefined {
		let item = this.heap[0];
		while (item && this.times.get(item.id) !== item) {
			this.pop();
			item = this.heap[0];
		}
		return item;
	}

	private push(item: Item): void {
		const { heap } = this;
		let index = heap.push(item) - 1;
		while (index > 0) {
			const parent = (index - 1) >> 1;
			const above = heap[parent]!;
			if (!before(item, above)) break;
			heap[index] = above;
			index = parent;
		}
		heap[index] = item;
	}

	private pop(): void {
		const { heap } = this;
		const item = heap.pop();
		if (!item || heap.length === 0) return;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= heap.length) break;
			if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
			if (!before(heap[child]!, item)) break;
			heap[index] = heap[child]!;
			index = child;
		}
		heap[index] = item;
	}
}
