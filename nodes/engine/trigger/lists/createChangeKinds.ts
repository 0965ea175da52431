import type { INodePropertyOptions } from 'n8n-workflow';

/** A kind of change that the user can choose under 'Trigger On'. */
export interface ChangeKind<List extends string> {
	/** The followed list whose records show the change. */
	list: List;
	/** The value of `change` in the output. */
	change: string;
	name: string;
	action: string;
	description: string;
}

/** The kinds of changes of a trigger, for its panel, its plan and its output. */
export interface ChangeKinds<List extends string> {
	options: INodePropertyOptions[];
	/** Returns the kinds that the records of these lists show, in the table's order. */
	ofLists: (...lists: List[]) => string[];
	/** Returns the value of `change` in the output. */
	changeOf: (kind: string) => string;
}

/** Derives the options and the lookups from one table. Its keys are the option values that n8n stores. */
export function createChangeKinds<List extends string>(
	table: Record<string, ChangeKind<List>>,
): ChangeKinds<List> {
	const entries = Object.entries(table);
	return {
		options: entries.map(([value, { name, action, description }]) => ({
			name,
			value,
			action,
			description,
		})),
		ofLists: (...lists) =>
			entries.filter(([, { list }]) => lists.includes(list)).map(([kind]) => kind),
		changeOf: (kind) => table[kind]?.change ?? kind,
	};
}
