import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../engine/values/isRecord';

/** Returns the rows of a fixed collection. An entry that is not an object becomes an empty row, so that validation fails. */
export function rowsOf(raw: unknown, name: string): IDataObject[] {
	const rows = isRecord(raw) ? (raw[name] ?? []) : [];
	return [rows].flat().map((row) => (isRecord(row) ? row : {}));
}
