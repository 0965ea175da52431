import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../engine/values/convert';

/** The rows that the user added to a list of the panel. What is no row counts as an empty one, so that it is complained about. */
export function rowsOf(given: unknown, name: string): IDataObject[] {
	const rows = isRecord(given) ? (given[name] ?? []) : [];
	return [rows].flat().map((row) => (isRecord(row) ? row : {}));
}
