/** How a table gets its records. */
export interface TablePlan<T> {
	partitions: number;
	/** Makes the generated records of a partition. */
	fill(partition: number): T[];
	/** How many records `fill` will make. */
	planned(partition: number): number;
	idOf(record: T): number;
	/** The partition of a generated record, whether or not there is one with this id. */
	locate(id: number): number | undefined;
}

interface Partition<T> {
	list: T[];
	byId: Map<number, T>;
}

/**
 * Records in partitions (one for each event or list), each filled when it is first touched. Keeps
 * the order in which records were made, and finds one by id without looking at the others.
 */
export class PartitionedTable<T> {
	private readonly filled: Array<Partition<T> | undefined>;
	/** Partitions of records that are not where `locate` says: added and moved ones. */
	private readonly homes = new Map<number, number>();

	constructor(private readonly plan: TablePlan<T>) {
		this.filled = new Array<Partition<T> | undefined>(plan.partitions);
	}

	private open(partition: number): Partition<T> {
		let found = this.filled[partition];
		if (!found) {
			const list = partition < this.plan.partitions ? this.plan.fill(partition) : [];
			found = { list, byId: new Map(list.map((record) => [this.plan.idOf(record), record])) };
			this.filled[partition] = found;
		}
		return found;
	}

	/** The records of a partition; not to be changed by the caller. */
	list(partition: number): readonly T[] {
		return this.open(partition).list;
	}

	/** All records, partition by partition. */
	all(): T[] {
		return [...this.filled.keys()].flatMap((index) => [...this.list(index)]);
	}

	/** How many records a partition has; does not fill it. */
	size(partition: number): number {
		const found = this.filled[partition];
		if (found) return found.list.length;
		return partition < this.plan.partitions ? this.plan.planned(partition) : 0;
	}

	/** A record of this partition. */
	get(partition: number, id: number): T | undefined {
		return this.open(partition).byId.get(id);
	}

	/** A record, wherever it is. */
	find(id: number): { record: T; partition: number } | undefined {
		const partition = this.homes.get(id) ?? this.plan.locate(id);
		if (partition === undefined) return undefined;
		const record = this.get(partition, id);
		return record && { record, partition };
	}

	add(partition: number, record: T): void {
		const { list, byId } = this.open(partition);
		const id = this.plan.idOf(record);
		list.push(record);
		byId.set(id, record);
		this.homes.set(id, partition);
	}

	remove(partition: number, id: number): boolean {
		const { list, byId } = this.open(partition);
		const record = byId.get(id);
		if (!record) return false;
		list.splice(list.indexOf(record), 1);
		byId.delete(id);
		return true;
	}
}
