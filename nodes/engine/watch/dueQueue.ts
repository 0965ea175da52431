interface DueId {
	id: string;
	dueAt: number;
	order: number;
}

const isEarlier = (a: DueId, b: DueId): boolean =>
	a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);

/**
 * Priority queue of IDs by time; IDs of equal time leave the queue in the order in which they were set. Setting, removing
 * and taking an ID take at most logarithmic time, so ten thousand IDs are cheap.
 */
export class DueQueue {
	private readonly times = new Map<string, DueId>();
	private heap: DueId[] = [];
	private nextOrder = 0;

	get size(): number {
		return this.times.size;
	}

	/** Adds an ID, or changes its time. */
	set(id: string, dueAt: number): void {
		const dueId = { id, dueAt, order: this.nextOrder++ };
		this.times.set(id, dueId);
		this.push(dueId);
		// IDs that were moved, removed or taken stay in the heap until they reach its top. When they outnumber the current
		// IDs, the heap is rebuilt.
		if (this.heap.length > 2 * this.times.size + 64) {
			this.heap = [];
			for (const current of this.times.values()) this.push(current);
		}
	}

	delete(id: string): void {
		this.times.delete(id);
	}

	timeOf(id: string): number | undefined {
		return this.times.get(id)?.dueAt;
	}

	/** Returns the time of the first ID; `Infinity` if the queue is empty. */
	nextDueAt(): number {
		return this.first()?.dueAt ?? Infinity;
	}

	/** Removes and returns the first ID if its time has come. */
	take(time: number): { id: string; dueAt: number } | undefined {
		const dueId = this.first();
		if (!dueId || dueId.dueAt > time) return undefined;
		this.delete(dueId.id);
		return dueId;
	}

	private first(): DueId | undefined {
		let dueId = this.heap[0];
		while (dueId && this.times.get(dueId.id) !== dueId) {
			this.pop();
			dueId = this.heap[0];
		}
		return dueId;
	}

	private push(dueId: DueId): void {
		const { heap } = this;
		let index = heap.push(dueId) - 1;
		while (index > 0) {
			const parent = (index - 1) >> 1;
			const above = heap[parent]!;
			if (!isEarlier(dueId, above)) break;
			heap[index] = above;
			index = parent;
		}
		heap[index] = dueId;
	}

	private pop(): void {
		const { heap } = this;
		const dueId = heap.pop();
		if (!dueId || heap.length === 0) return;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= heap.length) break;
			if (child + 1 < heap.length && isEarlier(heap[child + 1]!, heap[child]!)) child++;
			if (!isEarlier(heap[child]!, dueId)) break;
			heap[index] = heap[child]!;
			index = child;
		}
		heap[index] = dueId;
	}
}
