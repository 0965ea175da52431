import type { FieldKind } from '../../form/fieldKind';

/*
 * Contact: Sync, file by file:
 * - `isSameValue`, `plan`, `digest`, `changeLimits`: what would be done. Pure: they send nothing and read no clock.
 * - `rows`: reads the input items. `list`: requests for one contact list. `readList`: reads the whole list.
 * - `signUps`: finds people who were added after the list was read.
 * - `updates`, `creations`, `removals`: write a plan; `write` puts them in order and stops them; `writeResults`: how each
 *   write ended. `proofs`: which updates show that the service keeps the fields that are not sent.
 * - `output`: the items of the node. `fields`: its parameters. `run`: the operation.
 */

/** A form field that at least one row maps. */
export interface SyncField {
	/** The service's internal name. */
	name: string;
	caption: string;
	kind: FieldKind;
	/** The answers to choose from, if the form gives them. */
	options?: readonly string[];
}

/** The field that decides which contact a row is about, and the fields that the rows map. */
export interface SyncScope {
	matchBy: string;
	fields: readonly SyncField[];
}

/** An input item with at least one mapped value. */
export interface SyncRow {
	/** The index of the input item. */
	index: number;
	/** The value of the Match By field in the form in which it is compared; never blank. */
	key: string;
	/** The texts to send, in the order of the fields. Undefined leaves the field as it is; an empty text clears it. */
	values: ReadonlyArray<string | undefined>;
}

/** Keys and addresses of invalid rows, in the form in which they are compared: no contact with one of them is removed. */
export interface InvalidRows {
	keys: ReadonlySet<string>;
	emails: ReadonlySet<string>;
}

/** A contact of the list, reduced to the fields that the rows map. */
export interface ListedContact {
	id: string | number;
	/** The same as in a row; blank if the contact has no value in the Match By field. */
	key: string;
	/** The address in the form in which addresses are compared; blank if no row maps Email. */
	email: string;
	/**
	 * Values in the order of the fields; blank if the contact has no value. If its row changes nothing, these are the row's
	 * values.
	 */
	values: ReadonlyArray<string | undefined>;
	/** The number of the contact's properties that are not blank, mapped or not. */
	propertyCount: number;
	/** The number of the contact's custom fields that are not blank, mapped or not. */
	customCount: number;
	/** The latest moment that the service's time can mean; missing if the service gives no time. */
	addedAt?: number;
	/** The latest moment of the last change, read like `addedAt`. */
	updatedAt?: number;
}

export interface FieldChange {
	field: string;
	from: string;
	to: string;
}

interface Planned {
	row: SyncRow;
	/** The contact that the row is about. Only planned writes need more of the contact than its ID. */
	contact?: Pick<ListedContact, 'id'>;
}

/** The plan of one row. A conflict is not written; its reason names the rows or contacts. */
export type PlannedRow =
	| (Planned & { change: 'created'; contact?: undefined; changes: FieldChange[] })
	| (Planned & { change: 'updated'; contact: ListedContact; changes: FieldChange[] })
	| (Planned & { change: 'unchanged' | 'duplicate' })
	| (Planned & { change: 'conflict'; reason: string });

/** A contact whose key no row has. The reason says why it is not removed, or should not be. */
export type UnmatchedContact =
	| { change: 'removed'; contact: ListedContact; reason?: never }
	| { change: 'missing'; contact: ListedContact; reason?: string };

export interface SyncPlan {
	/** Planned rows in the order of the rows. */
	rows: PlannedRow[];
	/** Contacts in the order of the list. */
	unmatched: UnmatchedContact[];
}
