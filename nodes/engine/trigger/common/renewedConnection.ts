import type { Connection } from '../../http/client';
import { isDeletedCredential } from '../../n8n/errorNames';

const MAX_CREDENTIAL_AGE_MS = 60_000;

/**
 * The connection of a running trigger. Reading the credential is expensive, so this happens again only if the last read
 * is a minute old, or the service rejected the connection. If a read fails, the last connection stays in use, unless the
 * credential was deleted.
 */
export class RenewedConnection {
	private readAt: number;
	private reading: Promise<void> | undefined;
	private connection: Connection | undefined;

	private constructor(
		private readonly connect: () => Promise<Connection>,
		private readonly now: () => number,
		private last: Connection | undefined,
	) {
		this.readAt = now();
		this.connection = last;
	}

	/**
	 * Reads the credential for the first time. Rejects if the read fails. Exception: the credential was deleted, and the
	 * previous trigger has already reported it as rejected or deleted (`wasRejectionReported`). Then `open` resolves without
	 * a connection, and `current` reads the credential again later.
	 */
	static async open(
		connect: () => Promise<Connection>,
		wasRejectionReported = false,
		now: () => number = () => performance.now(),
	): Promise<RenewedConnection> {
		const ignoreReportedDeletion = (error: unknown) => {
			if (wasRejectionReported && isDeletedCredential(error)) return undefined;
			throw error;
		};
		return new RenewedConnection(connect, now, await connect().catch(ignoreReportedDeletion));
	}

	/** The secrets that no error may show, also after the credential was deleted. */
	get secrets(): Connection['secrets'] {
		return this.last?.secrets ?? new Set();
	}

	/**
	 * Returns the current connection, read again if the last read is `maxAgeMs` old; undefined if the credential was
	 * deleted.
	 */
	async current(maxAgeMs = MAX_CREDENTIAL_AGE_MS): Promise<Connection | undefined> {
		if (this.now() - this.readAt >= maxAgeMs) await this.read();
		return this.connection;
	}

	/**
	 * Reads the credential again after the service rejected this connection, unless the connection was replaced since.
	 * Returns whether there is another connection to try.
	 */
	async renewIfChanged(rejected: Connection): Promise<boolean> {
		if (this.connection === rejected) await this.read();
		return this.connection !== undefined && this.connection !== rejected;
	}

	/** Reads once for all concurrent callers. The connection stays the same object while the credential is unchanged. */
	private async read(): Promise<void> {
		this.reading ??= this.connect()
			.then((connection) => {
				if (!this.last || !haveSameCredential(connection, this.last)) this.last = connection;
				this.connection = this.last;
			})
			.catch((error: unknown) => {
				if (isDeletedCredential(error)) this.connection = undefined;
			})
			.finally(() => {
				this.readAt = this.now();
				this.reading = undefined;
			});
		await this.reading;
	}
}

const haveSameCredential = (a: Connection, b: Connection) =>
	JSON.stringify(a.credential) === JSON.stringify(b.credential);
