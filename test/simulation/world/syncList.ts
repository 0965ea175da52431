import type { ListedRecord } from '../history';
import type { World } from './world';

type Values = Record<string, string>;

/** An act of an organizer in the list. `index` chooses the contact among those that exist, or that were removed. */
export type OrganizerAct =
	| { kind: 'add'; values: Values }
	| { kind: 'change'; index: number; values: Values }
	| { kind: 'remove'; index: number }
	| { kind: 'recreate'; index: number };

interface StoredContact extends ListedRecord {
	updatedAt: number;
}

/** A contact list that stores what it is sent. */
export class SyncList {
	private readonly contacts: StoredContact[] = [];
	private readonly removed: StoredContact[] = [];
	private lastId = 0;

	constructor(private readonly world: World) {}

	read(): StoredContact[] {
		return structuredClone(this.contacts);
	}

	find(id: number): StoredContact | undefined {
		return this.contacts.find((contact) => contact.id === id);
	}

	add(values: Values): number {
		const now = this.now();
		this.contacts.push({ id: ++this.lastId, addedAt: now, updatedAt: now, values: { ...values } });
		return this.lastId;
	}

	change(id: number, values: Values): void {
		const contact = this.find(id)!;
		Object.assign(contact.values, values);
		contact.updatedAt = this.now();
	}

	remove(id: number): void {
		const index = this.contacts.findIndex((contact) => contact.id === id);
		this.removed.push(...this.contacts.splice(index, 1));
	}

	/** Lets an organizer act. */
	organize(act: OrganizerAct): void {
		const { contacts, removed } = this;
		const choose = (all: StoredContact[]) =>
			'index' in act && all.length > 0 ? all[act.index % all.length] : undefined;
		let contact = act.kind === 'recreate' ? choose(removed)?.id : choose(contacts)?.id;
		if (act.kind === 'add') contact = this.add(act.values);
		if (contact === undefined) return;
		if (act.kind === 'change') this.change(contact, act.values);
		if (act.kind === 'remove') this.remove(contact);
		if (act.kind === 'recreate') contact = this.add(choose(removed)!.values);
		this.world.record({ type: 'organized', contact });
	}

	private now(): number {
		return Math.round(this.world.machine.nowMs);
	}
}
