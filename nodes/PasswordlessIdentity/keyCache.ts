import { deepCopy } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

const LIFE_MS = 5 * 60_000;
const MOST = 1000;

/**
 * Remembers key records for five minutes, a thousand at most, by base address and fingerprint. What is dropped while it is
 * being fetched is not kept, since it was fetched from before the change. It gives out copies: what a workflow does to a
 * record must not change what tokens are checked against.
 */
export class KeyCache {
	private readonly entries = new Map<string, { record: IDataObject; until: number }>();
	private drops = 0;

	constructor(private readonly now: () => number = () => Date.now()) {}

	/** Gives the record that is known, or fetches it. What cannot be fetched is not remembered, what is gone is forgotten. */
	async through<T extends IDataObject | undefined>(
		baseUrl: string,
		fingerprint: string,
		fetch: () => Promise<T>,
		fresh = false,
	): Promise<T | IDataObject> {
		const name = nameOf(baseUrl, fingerprint);
		const known = this.entries.get(name);
		if (!fresh && known && known.until > this.now()) return deepCopy(known.record);
		const { drops } = this;
		const record = await fetch();
		if (!record) this.drop(baseUrl, fingerprint);
		else if (drops === this.drops) this.keep(name, record);
		return record;
	}

	/** Forgets one key, or all keys of a service when it is not known which of them has changed. */
	drop(baseUrl: string, fingerprint = ''): void {
		this.drops++;
		if (fingerprint) this.entries.delete(nameOf(baseUrl, fingerprint));
		else {
			for (const name of this.entries.keys()) {
				if (name.startsWith(nameOf(baseUrl, ''))) this.entries.delete(name);
			}
		}
	}

	/** How many records are remembered, outdated ones included. */
	get size(): number {
		return this.entries.size;
	}

	private keep(name: string, record: IDataObject): void {
		this.entries.delete(name);
		if (this.entries.size >= MOST) this.entries.delete(this.entries.keys().next().value!);
		this.entries.set(name, { record: deepCopy(record), until: this.now() + LIFE_MS });
	}
}

// A space is in no base address, so two services never share a name.
const nameOf = (baseUrl: string, fingerprint: string) => `${baseUrl} ${fingerprint}`;

/** The cache of this process. */
export const keyCache = new KeyCache();
