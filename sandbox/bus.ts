import { EventEmitter } from 'node:events';

/**
 * Publishes items to the open pages. Keeps the newest items for pages opened later, and notifies listeners of each new or
 * changed item.
 */
export class Bus<T> extends EventEmitter {
	private readonly itemsByKey = new Map<string, T>();

	constructor(
		private readonly getKey: (item: T) => string,
		private readonly maxItems: number,
	) {
		super();
		this.setMaxListeners(0);
	}

	/** Adds an item, or replaces the one with the same key. */
	deliver(item: T): void {
		this.itemsByKey.set(this.getKey(item), item);
		if (this.itemsByKey.size > this.maxItems) {
			const oldestKey = this.itemsByKey.keys().next().value;
			if (oldestKey !== undefined) this.itemsByKey.delete(oldestKey);
		}
		this.emit('item', item);
	}

	/** Returns the matching items, oldest first. */
	protected select(matches: (item: T) => boolean = () => true): T[] {
		return [...this.itemsByKey.values()].filter(matches);
	}

	/** Calls back for each matching item until the returned function is called. */
	protected subscribe(matches: (item: T) => boolean, onItem: (item: T) => void): () => void {
		const listener = (item: T) => {
			if (matches(item)) onItem(item);
		};
		this.on('item', listener);
		return () => this.off('item', listener);
	}

	/** Calls back whenever a page must reload all items, until the returned function is called. */
	onRefresh(listener: () => void): () => void {
		this.on('refresh', listener);
		return () => this.off('refresh', listener);
	}

	/** Removes all items and tells pages to reload. */
	clear(): void {
		this.itemsByKey.clear();
		this.emit('refresh');
	}

	/** Tells pages to reload, for example after the clock was advanced. */
	refresh(): void {
		this.emit('refresh');
	}
}
