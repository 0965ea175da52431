import type { IDataObject, ITriggerResponse } from 'n8n-workflow';

import { ServiceFailure } from '../../errors';
import type { Connection } from '../../http/client';
import type { PollFailure } from '../../watch';
import {
	CREDENTIAL_DELETED,
	credentialRejectedError,
	listNotReadableError,
	nothingToShowError,
} from '../common/messages';
import { toTriggerError } from '../common/reportErrors';
import type { FollowedList } from './listTriggerDefinition';
import type { ListTriggerSetup } from './listTriggerSetup';
import { findNewest } from './newest';
import type { NewestRecord } from './newest';
import { discoverLists, readList } from './reader';

const DAY_MS = 24 * 3_600_000;
/**
 * How far back a test run searches for the newest record. If it finds none, it tries the next value; undefined is no limit.
 */
const LOOKBACKS_MS = [DAY_MS, 30 * DAY_MS, undefined];

/** Emits the newest record that would start the workflow, as the item that a published workflow gets. Saves nothing. */
export function runListTest(setup: ListTriggerSetup): ITriggerResponse {
	const { context } = setup;
	const stop = new AbortController();
	let runEnd: Promise<void> = Promise.resolve();
	const show = async () => {
		try {
			const item = await newestItem(setup, stop.signal);
			if (!stop.signal.aborted) context.emit([[{ json: item }]]);
		} catch (error) {
			if (!stop.signal.aborted) context.emitError(toTriggerError(setup, error));
		}
	};
	return {
		closeFunction: async () => {
			stop.abort();
			await runEnd;
		},
		// n8n 2.41.1 connects emit() after trigger() has returned, then calls this function (n8n-core,
		// triggers-and-pollers.js). An item emitted earlier would be lost.
		manualTriggerFunction: async () => {
			runEnd = show();
		},
	};
}

async function newestItem(setup: ListTriggerSetup, signal: AbortSignal): Promise<IDataObject> {
	const connection = await setup.connection.current();
	if (!connection)
		throw credentialRejectedError(CREDENTIAL_DELETED, setup.definition.service, 'testing');
	const discovery = await discoverLists(connection, setup.plan, signal);
	if ('kind' in discovery) throw errorFor(discovery, setup);
	const now = discovery.date ?? Date.now();
	for (const lookbackMs of LOOKBACKS_MS) {
		const since = lookbackMs === undefined ? undefined : now - lookbackMs;
		const newest = await newestSince(setup, connection, discovery.lists, since, signal);
		if (newest) return newest.list.buildItem(newest);
	}
	throw nothingToShowError(
		discovery.lists.map(({ name }) => name).join(', ') || 'there is no list to follow',
	);
}

/**
 * Returns the newest record of several lists. Lists that the service cannot filter by 'changed since' are read only in the
 * last attempt, which has no `since`.
 */
async function newestSince(
	{ plan, ...setup }: ListTriggerSetup,
	connection: Connection,
	lists: FollowedList[],
	since: number | undefined,
	signal: AbortSignal,
): Promise<NewestRecord | undefined> {
	let newest: NewestRecord | undefined;
	for (const list of lists) {
		if (since !== undefined && !list.isFiltered) continue;
		const result = await readList(
			connection,
			list,
			since,
			async ({ records }) => {
				newest = findNewest(records, list, plan.kinds, newest);
			},
			signal,
		);
		if (result.kind !== 'complete') throw errorFor(result, { plan, ...setup }, list);
	}
	return newest;
}

function errorFor(result: PollFailure, setup: ListTriggerSetup, list?: FollowedList): Error {
	const message = 'message' in result ? (result.message ?? '') : '';
	if (result.kind === 'credentialRejected')
		return credentialRejectedError(message, setup.definition.service, 'testing');
	const isGone = result.kind === 'missing';
	if (isGone || result.kind === 'failed') return listNotReadableError({ list, isGone, message });
	return new ServiceFailure(message, { advice: 'Try again later.' });
}
