import type { History, ListedRecord, SyncInput } from '../history';
import { keyOf } from './expectedSync';
import { eventsOf } from './verdict';
import type { EventOf } from './verdict';

type Values = Record<string, string>;

/** How a write ended for the node: a rejected one was certainly not carried out, an unclear one may have been. */
type Ending = 'confirmed' | 'rejected' | 'unclear';

/** A request that adds, changes or removes something. */
export interface WriteRequest {
	request: number;
	at: number;
	method: string;
	path: string;
	ending: Ending;
	/** Time of the response; Infinity if there was none. */
	endedAt: number;
	status?: number;
	/** Items of the input that the request is about. */
	items: number[];
	/** The contact that the request changes or removes. */
	contact?: string;
	changes: Array<EventOf<'recordChanged'>>;
}

/** An item of the node's output. */
export interface OutputItem {
	at: number;
	json: Record<string, unknown>;
	from: number | null;
}

/** An execution that writes, and what it sent and returned. */
export interface WritingExecution {
	id: string;
	startedAt: number;
	/** Time of its output or, if there is none, of its end. */
	endedAt: number;
	settings: EventOf<'writing'>;
	items: Values[];
	requests: Array<EventOf<'requested'>>;
	writes: WriteRequest[];
	outputs: OutputItem[];
	end?: EventOf<'executionEnded'>;
	/** Whether a process ended between its start and its end. */
	wasInterrupted: boolean;
}

export function readWritingExecutions(history: History): WritingExecution[] {
	const settings = eventsOf(history, 'writing');
	return eventsOf(history, 'executionStarted').map(({ execution: id, workflow, at, items }) => {
		const own = settings.find((each) => each.workflow === workflow)!;
		const given = items as Values[];
		const requests = eventsOf(history, 'requested').filter(({ execution }) => execution === id);
		const outputs = eventsOf(history, 'output').filter(({ execution }) => execution === id);
		const end = eventsOf(history, 'executionEnded').findLast((one) => one.execution === id);
		const endedAt = outputs[0]?.at ?? end?.at ?? Infinity;
		return {
			id,
			startedAt: at,
			endedAt,
			settings: own,
			items: given,
			requests,
			writes: requests
				.filter(({ method, path }) => method !== 'GET' && !path.includes('/search'))
				.map((request) => readWrite(history, request, own, given)),
			outputs: outputs.flatMap((output) =>
				output.items.map((json, index) => ({
					at: output.at,
					json,
					from: output.from?.[index] ?? null,
				})),
			),
			end,
			wasInterrupted: eventsOf(history, 'processEnded').some(
				(ended) => ended.at >= at && ended.at <= endedAt,
			),
		};
	});
}

function readWrite(
	history: History,
	{ request, at, method, path, sent }: EventOf<'requested'>,
	settings: EventOf<'writing'>,
	items: Values[],
): WriteRequest {
	const responded = eventsOf(history, 'responded').find((one) => one.request === request);
	const contact = /\/contacts\/(\d+)/.exec(path)?.[1];
	const keys = keysOfRequest(history, settings, contact, sent);
	return {
		request,
		at,
		method,
		path,
		ending: endingOf(responded),
		endedAt: responded?.at ?? Infinity,
		status: responded?.status,
		items: items.flatMap((item, index) => (keys.has(identityOf(settings, item)) ? [index] : [])),
		...(contact !== undefined && { contact }),
		changes: eventsOf(history, 'recordChanged').filter((one) => one.request === request),
	};
}

function endingOf(responded: EventOf<'responded'> | undefined): Ending {
	const { status = 0, fault } = responded ?? {};
	// The status arrives before a body that ends early.
	if (status >= 400 && status < 500) return 'rejected';
	const isComplete = fault === undefined || fault === 'delayed';
	return isComplete && status >= 200 && status < 300 ? 'confirmed' : 'unclear';
}

/** Returns the text that shows which item a write is about. */
const identityOf = ({ operation, sync }: EventOf<'writing'>, item: Values): string => {
	if (sync) return keyOf(sync.matchBy, item);
	return operation === 'sms' ? item.Phone!.slice(3) : item.mark!;
};

function keysOfRequest(
	history: History,
	{ operation, sync }: EventOf<'writing'>,
	contact: string | undefined,
	sent: unknown,
): Set<string> {
	if (!sync) {
		const pattern = operation === 'sms' ? /"phone_number":"(\d+)"/g : /"(mark\w+)"/g;
		return new Set([...JSON.stringify(sent ?? '').matchAll(pattern)].map(([, mark]) => mark!));
	}
	if (contact === undefined)
		return new Set(
			(Array.isArray(sent) ? sent : []).map((each) =>
				keyOf(sync.matchBy, valuesOf(each as object)),
			),
		);
	const changes = eventsOf(history, 'recordChanged').filter(({ id }) => id === contact);
	return new Set(
		changes.flatMap(({ before, after }) =>
			[before, after].flatMap((values) => (values ? [keyOf(sync.matchBy, values)] : [])),
		),
	);
}

/** Returns the values of a contact in a request. */
function valuesOf(contact: object): Values {
	const { CustomFields = [], ...values } = contact as Values & {
		CustomFields?: Array<{ Name: string; Value: string }>;
	};
	const custom = CustomFields as Array<{ Name: string; Value: string }>;
	return { ...values, ...Object.fromEntries(custom.map(({ Name, Value }) => [Name, Value])) };
}

/** Returns the contacts after all changes up to an event. */
export function contactsBefore(history: History, end: number): ListedRecord[] {
	const contacts = new Map<string, ListedRecord>();
	for (const event of history.slice(0, end)) {
		if (event.type !== 'recordChanged' || event.table !== 'contacts') continue;
		const { id, after, at } = event;
		if (!after) contacts.delete(id);
		else {
			const addedAt = contacts.get(id)?.addedAt ?? at;
			contacts.set(id, { id: Number(id), addedAt, values: after });
		}
	}
	return [...contacts.values()];
}

/** Returns the whole input of a Sync. A row with a blank key is invalid. */
export function inputOf({ settings, items }: WritingExecution): SyncInput {
	const { sync } = settings;
	const isValid = (item: Values) => keyOf(sync!.matchBy, item) !== '';
	return {
		...sync!,
		rows: items.filter(isValid),
		invalidRows: items.filter((item) => !isValid(item)),
	};
}

export const isSaidUnclear = (text: string): boolean =>
	/unclear|may have|may or may not|uncertain/i.test(text);
