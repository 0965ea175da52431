/** How a shelf gets its records. */
export interface ShelfPlan<T> {
	compartments: number;
	/** Makes the generated records of a compartment. */
	fill(compartment: number): T[];
	/** How many records `fill` will make. */
	planned(compartment: number): number;
	idOf(record: T): number;
	/** The compartment of a generated record, whether or not there is one with this id. */
	locate(id: number): number | undefined;
}

interface Compartment<T> {
	list: T[];
	byId: Map<number, T>;
}

/**
 * Records in compartments (one for each event or list), each filled when it is first touched. Keeps
 * the order in which records were made, and finds one by id without looking at the others.
 */
export class Shelf<T> {
	private readonly filled: Array<Compartment<T> | undefined>;
	/** Compartments of records that are not where `locate` says: added and moved ones. */
	private readonly homes = new Map<number, number>();

	constructor(private readonly plan: ShelfPlan<T>) {
		this.filled = new Array<Compartment<T> | undefined>(plan.compartments);
	}

	private open(compartment: number): Compartment<T> {
		let found = this.filled[compartment];
		if (!found) {
			const list = compartment < this.plan.compartments ? this.plan.fill(compartment) : [];
			found = { list, byId: new Map(list.map((record) => [this.plan.idOf(record), record])) };
			this.filled[compartment] = found;
		}
		return found;
	}

	/** The records of a compartment; not to be changed by the caller. */
	list(compartment: number): readonly T[] {
		return this.open(compartment).list;
	}

	/** All records, compartment by compartment. */
	all(): T[] {
		return Array.from({ length: this.filled.length }, (_, index) => this.list(index)).flat() as T[];
	}

	/** How many records a compartment has; does not fill it. */
	size(compartment: number): number {
		const found = this.filled[compartment];
		if (found) return found.list.length;
		return compartment < this.plan.compartments ? this.plan.planned(compartment) : 0;
	}

	/** A record of this compartment. */
	get(compartment: number, id: number): T | undefined {
		return this.open(compartment).byId.get(id);
	}

	/** A record, wherever it is. */
	find(id: number): { record: T; compartment: number } | undefined {
		const compartment = this.homes.get(id) ?? this.plan.locate(id);
		if (compartment === undefined) return undefined;
		const record = this.get(compartment, id);
		return record && { record, compartment };
	}

	add(compartment: number, record: T): void {
		const { list, byId } = this.open(compartment);
		const id = this.plan.idOf(record);
		list.push(record);
		byId.set(id, record);
		this.homes.set(id, compartment);
	}

	remove(compartment: number, id: number): boolean {
		const { list, byId } = this.open(compartment);
		const record = byId.get(id);
		if (!record) return false;
		list.splice(list.indexOf(record), 1);
		byId.delete(id);
		return true;
	}
}
