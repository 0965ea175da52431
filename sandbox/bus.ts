import { EventEmitter } from 'node:events';

/**
 * What a page is told while it is open. Keeps the newest items, so that a page that is opened later still
 * finds them, and tells listeners of each arrival and change.
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

	/** The items that fit, oldest first. */
	protected select(fits: (item: T) => boolean = () => true): T[] {
		return [...this.kept.values()].filter(fits);
	}

	/** Calls back for each item that fits until the returned function is called. */
	protected follow(fits: (item: T) => boolean, onItem: (item: T) => void): () => void {
		const listener = (item: T) => {
			if (fits(item)) onItem(item);
		};
		this.on('item', listener);
		return () => this.off('item', listener);
	}

	/** Calls back whenever everything is to be loaded afresh, until the returned function is called. */
	onRefresh(listener: () => void): () => void {
		this.on('refresh', listener);
		return () => this.off('refresh', listener);
	}

	/** Forgets everything and tells listeners to load afresh. */
	clear(): void {
		this.kept.clear();
		this.emit('refresh');
	}

	/** Tells listeners to load afresh, as after the clock moved. */
	refresh(): void {
		this.emit('refresh');
	}
}
