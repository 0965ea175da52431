import type { Connection } from '../../http/client';
import { QUIET_MS } from '../../watch';
import type { PollResult } from '../../watch';
import { CREDENTIAL_DELETED } from './messages';
import type { RenewedConnection } from './renewedConnection';

/**
 * Decides what a rejected credential means for a trigger. The trigger stops, and n8n reports it to the user. But n8n 2.41.1
 * restarts a stopped trigger, gives up if it stops several times in a row, and runs the error workflow each time. So the
 * trigger stops only once. Once the rejection is reported, further ones become `failed`: the trigger polls less and less
 * often, and continues as soon as the credential works. After ten minutes without a rejection, the next one is reported
 * again.
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

	/** Whether the rejection is reported already and must not be reported again. */
	get isReported(): boolean {
		return this.wasReported;
	}

	/** Whether the last answer was a rejection, so that a service that counts as unavailable only rejects the credential. */
	get wasRejectedLast(): boolean {
		return this.wasRejected;
	}

	/**
	 * Polls over the current connection. If the service rejects the credential, it is read again: if it has changed, the
	 * trigger only pauses. A deleted credential counts as rejected.
	 */
	async poll(pollWith: (connection: Connection) => Promise<PollResult>): Promise<PollResult> {
		const connection = await this.connection.current();
		if (!connection)
			return this.applyReported({ kind: 'credentialRejected', message: CREDENTIAL_DELETED });
		const pollResult = await pollWith(connection);
		const renewed =
			pollResult.kind === 'credentialRejected' &&
			(await this.connection.renewIfChanged(connection));
		return this.applyReported(
			renewed ? { kind: 'rateLimited', message: pollResult.message } : pollResult,
		);
	}

	private applyReported(pollResult: PollResult): PollResult {
		this.wasRejected = pollResult.kind === 'credentialRejected';
		if (pollResult.kind === 'credentialRejected') {
			this.rejectedAt = this.now();
			return this.wasReported ? { ...pollResult, kind: 'failed' } : pollResult;
		}
		if (this.now() - this.rejectedAt >= QUIET_MS) this.wasReported = false;
		return pollResult;
	}
}
