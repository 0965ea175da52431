interface Item {
	id: string;
	dueAt: number;
	order: number;
}

const before = (a: Item, b: Item): boolean =>
	a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);

/**
 * Priority queue of IDs by time; IDs of equal time leave the queue in the order in which they were set. Setting, removing
 * and taking an ID take at most logarithmic time, so ten thousand IDs are cheap.
 */
export class DueQueue {
	private readonly times = new Map<string, Item>();
	private heap: Item[] = [];
	private count = 0;

	get size(): number {
		return this.times.size;
	}

	/** Adds an ID, or changes its time. */
	set(id: string, dueAt: number): void {
		const item = { id, dueAt, order: this.count++ };
		this.times.set(id, item);
		this.push(item);
		// Items that were moved, removed or taken stay in the heap until they reach its top. When they outnumber the current
		// items, the heap is rebuilt.
		if (this.heap.length > 2 * this.times.size + 64) {
			this.heap = [];
			for (const entry of this.times.values()) this.push(entry);
		}
	}

	delete(id: string): void {
		this.times.delete(id);
	}

	timeOf(id: string): number | undefined {
		return this.times.get(id)?.dueAt;
	}

	/** Returns the time of the first ID; `Infinity` if the queue is empty. */
	next(): number {
		return this.first()?.dueAt ?? Infinity;
	}

	/** Removes and returns the first ID if its time has come. */
	take(time: number): { id: string; dueAt: number } | undefined {
		const item = this.first();
		if (!item || item.dueAt > time) return undefined;
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
