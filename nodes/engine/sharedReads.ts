/**
 * Reads that callers share: the first caller of a key reads, and all callers get its result. Results are kept as long as the
 * object that they belong to, such as the connection of an execution.
 */
export class SharedReads<Value> {
	private readonly reads = new WeakMap<object, Map<string, Promise<Value>>>();

	/** By default, a failure is not kept: the next caller reads again. */
	constructor(private readonly options: { keepsFailures?: boolean } = {}) {}

	/** Returns the result of the first caller's `read`, or its error. */
	async get(owner: object, key: string, read: () => Promise<Value>): Promise<Value> {
		const reads = this.reads.get(owner) ?? new Map<string, Promise<Value>>();
		this.reads.set(owner, reads);
		const reading = reads.get(key) ?? read();
		if (!reads.has(key)) {
			reads.set(key, reading);
			if (!this.options.keepsFailures)
				reading.catch(() => reads.get(key) === reading && reads.delete(key));
		}
		return await reading;
	}

	/** Makes the next caller of a key read again. */
	forget(owner: object, key: string): void {
		this.reads.get(owner)?.delete(key);
	}
}
