import type { IDataObject } from 'n8n-workflow';

import { normalizeMemberName } from '../http/statements';

/**
 * Returns a function that gives the members of a record their known names, if they differ only in case, underscores and
 * hyphens. If two members of a record would get the same name, both keep their own. Only for display:
 * decisions and merges read exact names.
 */
export function memberRenamer(knownNames: readonly string[]): (record: IDataObject) => IDataObject {
	const known = new Set(knownNames);
	const knownByForm = new Map(knownNames.map((name) => [normalizeMemberName(name), name]));
	// The names of a service's records are few, and a list can have many records.
	const found = new Map<string, string | undefined>();
	const findKnown = (name: string) => {
		if (!found.has(name)) found.set(name, knownByForm.get(normalizeMemberName(name)));
		return found.get(name);
	};
	return (record) => {
		const ownNames = Object.keys(record);
		const newNames = ownNames.map((name) => (known.has(name) ? name : (findKnown(name) ?? name)));
		if (newNames.every((name, index) => name === ownNames[index])) return record;
		return Object.fromEntries(
			ownNames.map((name, index) => {
				const newName = newNames[index]!;
				const isAmbiguous = newNames.filter((other) => other === newName).length > 1;
				return [isAmbiguous ? name : newName, record[name]];
			}),
		);
	};
}
