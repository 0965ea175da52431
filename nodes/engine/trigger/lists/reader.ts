import { Client } from '../../http/client';
import type { Connection } from '../../http/client';
import { dateOf } from '../../http/date';
import { readPages } from '../../http/pages';
import { resultOfError } from '../../http/pollOnce';
import { strictReading } from '../../http/strictReading';
import type { SendOptions } from '../../http/types';
import type { PollFailure } from '../../watch';
import type { ListPage, ListReadResult } from './core';
import type { FollowedList, FollowedListDiscovery, FollowPlan } from './listTriggerDefinition';

/** A list is read to its end or the poll fails, so a transient failure on any page is retried. */
const LIST_SEND_OPTIONS: SendOptions = {
	maxAttempts: 3,
	maxRetryDelayMs: 30_000,
	timeoutMs: 30_000,
};

const clientOf = (connection: Connection, signal: AbortSignal) =>
	new Client(connection, { ...LIST_SEND_OPTIONS, signal });

/** Discovers the lists to follow, or returns why that failed. */
export async function discoverLists(
	connection: Connection,
	plan: FollowPlan,
	signal: AbortSignal,
): Promise<FollowedListDiscovery | PollFailure> {
	return await catchServiceFailure(
		connection,
		async () => await plan.discover(clientOf(connection, signal)),
	);
}

/** Reads a list page by page, filtered by 'changed since' if `since` is given. */
export async function readList(
	connection: Connection,
	list: FollowedList,
	since: number | undefined,
	onPage: (page: ListPage) => Promise<void>,
	signal: AbortSignal,
): Promise<ListReadResult> {
	if (list.isOwnerGone) return { kind: 'missing' };
	const from = since === undefined ? undefined : new Date(since).toISOString();
	return await catchServiceFailure(connection, async () => {
		const client = clientOf(connection, signal);
		const { paging } = list;
		let date: number | undefined;
		let responses = 0;
		let warning: string | undefined;
		const reading = strictReading(list.request(from), {
			paging,
			// Polls repeat for as long as the workflow is active: only a page that says so is followed by another one.
			trustsShortPages: true,
			inspect: (response) => {
				responses++;
				date = dateOf(response);
				return response;
			},
			warn: (message) => (warning = message),
		});
		const pages = readPages(client, ...reading);
		let takenPages = 0;
		for await (const records of pages) {
			takenPages++;
			await list.prepare?.(client, records);
			await onPage({ records, date });
		}
		// The follower needs empty pages, too: for their Date header, and to know that the list has several pages.
		if (takenPages < responses) await onPage({ records: [], date });
		return { kind: 'complete' as const, warning };
	});
}

/** Turns a failure of the service into a result with a redacted message. */
async function catchServiceFailure<T>(
	connection: Connection,
	request: () => Promise<T>,
): Promise<T | PollFailure> {
	return await request().catch((error: unknown) => resultOfError(error, connection));
}
