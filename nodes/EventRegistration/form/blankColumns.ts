import type { IExecuteFunctions } from 'n8n-workflow';

import type { ItemCall } from '../../engine/operation';
import { isBlank } from '../../engine/values/texts';
import type { MappedValues } from './mappedValues';
import type { FormField } from './readForm';

/** The rows of an execution that were read, and the mapped fields that were blank in all of them. */
interface ReadRows {
	indexes: Set<number>;
	blank: Set<string>;
	filled: Set<string>;
}

const rowsByExecution = new WeakMap<IExecuteFunctions, ReadRows>();

/**
 * Hints at mapped fields that were blank in every row, once all rows have been read. The mapping then probably names a column
 * that the input does not have, and people would be added without a name.
 */
export function hintAtBlankColumns(
	call: ItemCall,
	fields: readonly FormField[],
	mapped: MappedValues,
): void {
	const { context, itemIndex } = call;
	const rows = rowsByExecution.get(context) ?? {
		indexes: new Set(),
		blank: new Set(),
		filled: new Set(),
	};
	rowsByExecution.set(context, rows);
	const { indexes, blank, filled } = rows;
	for (const [name, value] of mapped) {
		if (filled.has(name)) continue;
		if (isBlank(value)) blank.add(name);
		else {
			filled.add(name);
			blank.delete(name);
		}
	}
	const rowCount = context.getInputData().length;
	const wasComplete = indexes.size === rowCount;
	indexes.add(itemIndex);
	if (wasComplete || indexes.size < rowCount || rowCount < 2 || blank.size === 0) return;
	const [last, ...others] = [...blank]
		.map((name) => fields.find((field) => field.name === name)?.caption ?? name)
		.reverse();
	const columns = others.length > 0 ? `${others.reverse().join(', ')} and ${last}` : last;
	call.hint(
		`${columns} ${blank.size > 1 ? 'were' : 'was'} blank in all ${rowCount} rows. Check the mapping.`,
	);
}
