import { Client } from '../../http/client';
import type { Connection } from '../../http/client';
import { dateOf } from '../../http/date';
import { POLL_SEND_OPTIONS, pollOnce } from '../../http/pollOnce';
import type { ServiceResponse } from '../../http/types';
import type { PollResult, WatchedId } from '../../watch';
import type { CredentialRejections } from '../common/rejections';
import type { IdTriggerSetup } from './idTriggerSetup';

/**
 * Returns a function that polls the service about one ID, once. Aborting the signal cancels the requests in flight. A
 * request that the service rejects yields `failed`. This does not end the ID, since a wrong base URL causes the same
 * response.
 */
export function createIdPoller(
	{ definition, settings: { options } }: IdTriggerSetup,
	rejections: CredentialRejections,
	signal: AbortSignal,
): (watched: WatchedId) => Promise<PollResult> {
	/** Adds for how long the ID has ended: an age by the service's clock is right for ours, too. */
	const withAge = (result: PollResult, response: ServiceResponse): PollResult => {
		if (result.kind !== 'finished' && result.kind !== 'doubtful') return result;
		const endedAt = definition.endedAt?.(result.result, response) ?? NaN;
		const endedAgoMs = Math.max(0, (dateOf(response) ?? Date.now()) - endedAt);
		return Number.isNaN(endedAgoMs) ? result : { ...result, endedAgoMs };
	};
	const inFlight = new Set<AbortController>();
	signal.addEventListener('abort', () => {
		for (const controller of inFlight) controller.abort();
	});
	const pollWith = async (connection: Connection, watched: WatchedId): Promise<PollResult> => {
		// One signal per request: Node.js warns of a leak if one signal has a listener for each request under way.
		const controller = new AbortController();
		// The trigger may have been closed while the credential was read.
		if (signal.aborted) controller.abort();
		const client = new Client(connection, { ...POLL_SEND_OPTIONS, signal: controller.signal });
		inFlight.add(controller);
		try {
			return await pollOnce(client, definition.request(watched.id), async (response) =>
				withAge(await definition.interpret(response, { watched, client, options }), response),
			);
		} finally {
			inFlight.delete(controller);
		}
	};
	return async (watched) =>
		await rejections.pollWithCurrentCredential(
			async (connection) => await pollWith(connection, watched),
		);
}
