import { EventEmitter } from 'node:events';

/**
 * Publishes items to the open pages. Keeps the newest items for pages opened later, and notifies listeners of each new or
 * changed item.
 */
export class Bus<T> extends EventEmitter {
	private readonly kept = new Map<string, T>();

	constructor(
		private readonly keyOf: (item: T) => string,
		private readonly limit: number,
	) {
		super();
		this.setMaxListeners(0);
	}

	/** Adds an item, or replaces the one with the same key. */
	deliver(item: T): void {
		this.kept.set(this.keyOf(item), item);
		if (this.kept.size > this.limit) {
			const oldest = this.kept.keys().next().value;
			if (oldest !== undefined) this.kept.delete(oldest);
		}
		this.emit('item', item);
	}

	/** Returns the matching items, oldest first. */
	protected select(fits: (item: T) => boolean = () => true): T[] {
		return [...this.kept.values()].filter(fits);
	}

	/** Calls back for each matching item until the returned function is called. */
	protected follow(fits: (item: T) => boolean, onItem: (item: T) => void): () => void {
		const listener = (item: T) => {
			if (fits(item)) onItem(item);
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
		this.kept.clear();
		this.emit('refresh');
	}

	/** Tells pages to reload, for example after the clock was advanced. */
	refresh(): void {
		this.emit('refresh');
	}
}
