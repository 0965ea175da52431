import type { IDataObject } from 'n8n-workflow';

import { textIn } from './lists';

const DAY_MS = 24 * 3_600_000;
const IS_DAY = /^\d{4}-\d\d-\d\d$/;

/** When something begins and ends: the names of the fields that say so. */
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
 * Puts what is under way or still to come first, the next one on top; then what has no date, since it may be yet to come;
 * then what is over, the last one on top.
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
		const over = all.filter((one) => one.end < now).sort((a, b) => b.start - a.start);
		return [...coming, ...undated, ...over].map(({ record }) => record);
	};

/** A time in milliseconds; a day without one lasts to its end. */
function timeIn(record: IDataObject, field: string, atEnd = false): number {
	const text = textIn(record, field);
	return Date.parse(text) + (atEnd && IS_DAY.test(text) ? DAY_MS : 0);
}
