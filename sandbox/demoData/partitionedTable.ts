/** Source of a table's generated records. */
export interface TablePlan<T> {
	partitions: number;
	/** Generates the records of a partition. */
	fill(partition: number): T[];
	/** Number of records that `fill` will generate. */
	planned(partition: number): number;
	idOf(record: T): number;
	/** Returns the partition of a generated record's ID, whether or not the record exists. */
	locate(id: number): number | undefined;
}

interface Partition<T> {
	list: T[];
	byId: Map<number, T>;
}

/**
 * Records in partitions (one per event or list), each filled on first access. Keeps the order of creation and finds a record
 * by its ID without scanning the others.
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

	/** Returns the records of a partition; the caller must not change the list. */
	list(partition: number): readonly T[] {
		return this.open(partition).list;
	}

	/** Returns all records, partition by partition. */
	all(): T[] {
		return [...this.filled.keys()].flatMap((index) => [...this.list(index)]);
	}

	/** Returns the number of records of a partition without filling it. */
	size(partition: number): number {
		const found = this.filled[partition];
		if (found) return found.list.length;
		return partition < this.plan.partitions ? this.plan.planned(partition) : 0;
	}

	get(partition: number, id: number): T | undefined {
		return this.open(partition).byId.get(id);
	}

	/** Finds a record in any partition. */
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
