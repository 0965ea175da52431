import type { Connection } from '../../http/client';
import { QUIET_MS } from '../ids/core';
import type { PollResult } from '../ids/core';
import { CREDENTIAL_DELETED } from './messages';
import type { RenewedConnection } from './renewedConnection';

/**
 * What it means for a trigger that the service refuses its credential. It stops, by which n8n tells people. But n8n starts it
 * again, gives it up for good if it stops several times in a row, and runs the error workflow each time. So it stops once; as
 * long as people know, a refused credential is like a sick service: asked more and more rarely, and the trigger goes on as soon
 * as it is mended. After ten minutes without a refusal the next one is news.
 */
export class CredentialRejections {
	private rejectedAt: number;
	private wasRejected = false;

	constructor(
		private readonly connection: RenewedConnection,
		private wasReported: boolean,
		private readonly now: () => number = () => performance.now(),
	) {
		this.rejectedAt = now();
	}

	/** Whether people know that the credential is refused, and so nobody is to be told. */
	get isReported(): boolean {
		return this.wasReported;
	}

	/** Whether the last answer was a refusal, and so a service that seems sick just refuses the credential. */
	get wasRejectedLast(): boolean {
		return this.wasRejected;
	}

	/**
	 * Has the service asked over the connection of now. A credential that is refused is read again first: if it has changed, the
	 * watcher merely pauses. One that was deleted is like one that is refused.
	 */
	async ask(ask: (connection: Connection) => Promise<PollResult>): Promise<PollResult> {
		const connection = await this.connection.current();
		if (!connection) return this.applyReported({ kind: 'refused', message: CREDENTIAL_DELETED });
		const pollResult = await ask(connection);
		const renewed = pollResult.kind === 'refused' && (await this.connection.renewed(connection));
		return this.applyReported(renewed ? { kind: 'busy', message: pollResult.message } : pollResult);
	}

	private applyReported(pollResult: PollResult): PollResult {
		this.wasRejected = pollResult.kind === 'refused';
		if (pollResult.kind === 'refused') {
			this.rejectedAt = this.now();
			return this.wasReported ? { ...pollResult, kind: 'failed' } : pollResult;
		}
		if (this.now() - this.rejectedAt >= QUIET_MS) this.wasReported = false;
		return pollResult;
	}
}
