/** Source of a table's generated records. */
export interface TablePlan<T> {
	partitionCount: number;
	/** Generates the records of a partition. */
	generate(partition: number): T[];
	/** Number of records that `generate` will return. */
	plannedCount(partition: number): number;
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
	private readonly generatedPartitions: Array<Partition<T> | undefined>;
	/** Partitions of records that are not where `locate` says: records that were added or moved. */
	private readonly partitionByAddedId = new Map<number, number>();

	constructor(private readonly plan: TablePlan<T>) {
		this.generatedPartitions = new Array<Partition<T> | undefined>(plan.partitionCount);
	}

	private getPartition(partition: number): Partition<T> {
		let filledPartition = this.generatedPartitions[partition];
		if (!filledPartition) {
			const list = partition < this.plan.partitionCount ? this.plan.generate(partition) : [];
			filledPartition = {
				list,
				byId: new Map(list.map((record) => [this.plan.idOf(record), record])),
			};
			this.generatedPartitions[partition] = filledPartition;
		}
		return filledPartition;
	}

	/** Returns the records of a partition; the caller must not change the list. */
	list(partition: number): readonly T[] {
		return this.getPartition(partition).list;
	}

	/** Returns all records, partition by partition. */
	all(): T[] {
		return [...this.generatedPartitions.keys()].flatMap((index) => [...this.list(index)]);
	}

	/** Returns the number of records of a partition without filling it. */
	size(partition: number): number {
		const filledPartition = this.generatedPartitions[partition];
		if (filledPartition) return filledPartition.list.length;
		return partition < this.plan.partitionCount ? this.plan.plannedCount(partition) : 0;
	}

	get(partition: number, id: number): T | undefined {
		return this.getPartition(partition).byId.get(id);
	}

	/** Finds a record in any partition. */
	find(id: number): { record: T; partition: number } | undefined {
		const partition = this.partitionByAddedId.get(id) ?? this.plan.locate(id);
		if (partition === undefined) return undefined;
		const record = this.get(partition, id);
		return record && { record, partition };
	}

	add(partition: number, record: T): void {
		const { list, byId } = this.getPartition(partition);
		const id = this.plan.idOf(record);
		list.push(record);
		byId.set(id, record);
		this.partitionByAddedId.set(id, partition);
	}

	remove(partition: number, id: number): boolean {
		const { list, byId } = this.getPartition(partition);
		const record = byId.get(id);
		if (!record) return false;
		list.splice(list.indexOf(record), 1);
		byId.delete(id);
		return true;
	}
}
