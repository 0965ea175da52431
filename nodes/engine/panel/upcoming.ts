import type { IDataObject } from 'n8n-workflow';

import { textIn } from './pickLists';

const DAY_MS = 24 * 3_600_000;
const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/;

/** Names of the fields with the start and end of a record. */
export interface TimeFields {
	start: string;
	end: string;
}

interface Dated {
	record: IDataObject;
	start: number;
	end: number;
}

/**
 * Creates a sort function: current and future records first, the earliest on top; then records without a date, which may be
 * in the future; then past records, the latest on top.
 */
export const upcomingFirst =
	({ start, end }: TimeFields) =>
	(records: IDataObject[], now = Date.now()): IDataObject[] => {
		const all = records.map((record): Dated => {
			const begins = timeIn(record, start);
			const ends = timeIn(record, end, true);
			return {
				record,
				start: Number.isNaN(begins) ? ends : begins,
				end: Number.isNaN(ends) ? timeIn(record, start, true) : ends,
			};
		});
		const coming = all.filter((one) => one.end >= now).sort((a, b) => a.start - b.start);
		const undated = all.filter((one) => Number.isNaN(one.end));
		const past = all.filter((one) => one.end < now).sort((a, b) => b.start - a.start);
		return [...coming, ...undated, ...past].map(({ record }) => record);
	};

/**
 * Returns a time in milliseconds, or NaN without a time. With `atEnd`, a date without a time of day is the end of that day.
 */
function timeIn(record: IDataObject, field: string, atEnd = false): number {
	const text = textIn(record, field);
	return Date.parse(text) + (atEnd && DAY_PATTERN.test(text) ? DAY_MS : 0);
}
