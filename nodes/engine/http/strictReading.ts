import type { ListReadOptions } from './pages';
import { strictRecords } from './records';
import type { RecordKind, StrictRecords } from './records';
import type { Request, ServiceResponse } from './types';

/** Options for reading a list that must not lack a record. */
export interface StrictReadOptions extends ListReadOptions {
	/**
	 * Creates the failure if records may be missing. Without a reason, a response is not the list. If `incomplete` is absent,
	 * such a response counts as unrecognized, so the client retries it, and `warn` reports missing records.
	 */
	incomplete?: (reason?: string) => Error;
	/** Whether a response is the list. By default, a single record is not: it does not show whether there are others. */
	isTheList?: (response: StrictRecords) => boolean;
}

/**
 * Returns the request and the options with which a list is read strictly: every response has to be a list of records with
 * IDs that reports no error, or 204. Any other response must not count as an empty list, which would hide records.
 */
export function strictReading(
	request: Request,
	{ incomplete, isTheList = ({ isList }) => isList, ...options }: StrictReadOptions,
): [Request, ListReadOptions] {
	const { paging, inspect = (response) => response } = options;
	if (!incomplete) return [{ ...request, isRecognized: isStrict(paging) }, options];
	const inspectStrictly = (response: ServiceResponse): ServiceResponse => {
		const result = strictResponse(response, paging);
		if (!result || !isTheList(result)) throw incomplete();
		return inspect(response);
	};
	const warn = (_: string, reason: string) => {
		throw incomplete(reason);
	};
	return [request, { ...options, inspect: inspectStrictly, warn }];
}

/** Creates the check whether a response is a list or a single record, and nothing else. */
export const isStrict =
	(kind: RecordKind) =>
	(response: ServiceResponse): boolean =>
		strictResponse(response, kind) !== undefined;

const strictResponse = ({ status, body }: ServiceResponse, kind: RecordKind) =>
	status === 204 ? { records: [], isList: true } : strictRecords(body, kind);
