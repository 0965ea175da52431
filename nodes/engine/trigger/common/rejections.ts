import type { Connection } from '../../http/client';
import { REPORT_AGAIN_AFTER_MS } from '../../watch';
import type { PollFailure, RejectedCredential } from '../../watch';
import { CREDENTIAL_DELETED } from './messages';
import type { RenewedConnection } from './renewedConnection';

/**
 * Decides what a rejected credential means for a trigger. The trigger stops, and n8n reports the rejection to the user. But
 * n8n 2.41.1 restarts a stopped trigger, runs the error workflow each time, and gives up if the trigger stops several times
 * in a row. So the trigger stops only once. Once the rejection is reported, further rejections become `failed`: the trigger
 * polls less and less often, and continues as soon as the credential works. After ten minutes without a rejection, the next
 * rejection is reported again.
 */
export class CredentialRejections {
	/**
	 * Whether the last response was a rejection. A report that the service is unavailable is then shown as a rejected credential
	 * (`toReportError`).
	 */
	wasLastRejected = false;
	private rejectedAt: number;

	constructor(
		private readonly connection: RenewedConnection,
		/** Whether the rejection is reported already and must not be reported again. */
		public isReported: boolean,
		private readonly now: () => number = () => performance.now(),
	) {
		this.rejectedAt = now();
	}

	/**
	 * Polls over the current connection. If the service rejects the credential, the credential is read again; if it has
	 * changed, the trigger only pauses. A deleted credential counts as rejected.
	 */
	async pollWithCurrentCredential<Result extends object>(
		pollWith: (connection: Connection) => Promise<Result | PollFailure>,
	): Promise<Result | PollFailure> {
		const connection = await this.connection.current();
		if (!connection)
			return this.recordAndDowngrade({ kind: 'credentialRejected', message: CREDENTIAL_DELETED });
		const result = await pollWith(connection);
		const isRenewed = isRejection(result) && (await this.connection.renewIfChanged(connection));
		// `rateLimited` only pauses polling: the next poll uses the new credential, and the trigger does not stop.
		return this.recordAndDowngrade(
			isRenewed ? { kind: 'rateLimited', message: result.message } : result,
		);
	}

	private recordAndDowngrade<Result extends object>(
		result: Result | PollFailure,
	): Result | PollFailure {
		this.wasLastRejected = isRejection(result);
		if (isRejection(result)) {
			this.rejectedAt = this.now();
			return this.isReported ? { ...result, kind: 'failed' } : result;
		}
		if (this.now() - this.rejectedAt >= REPORT_AGAIN_AFTER_MS) this.isReported = false;
		return result;
	}
}

const isRejection = (result: object): result is RejectedCredential =>
	'kind' in result && result.kind === 'credentialRejected';
