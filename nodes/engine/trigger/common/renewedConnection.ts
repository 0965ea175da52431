import { isDeletedCredential } from '../../n8n/errorNames';
import type { Connection } from '../../http/client';

/** How long a credential is used before it is read again. */
const FRESH_MS = 60_000;

/**
 * The connection of a trigger, for as long as it runs. Reading a credential is dear, so it is read once a minute and after
 * the service refused it. A credential that cannot be read for now is used as it was; one that was deleted is not.
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
	 * Reads the credential for the first time; rejects if that fails. A credential that was deleted is waited for, if people
	 * know of that already.
	 */
	static async open(
		connect: () => Promise<Connection>,
		isDeletionReported = false,
		now: () => number = () => performance.now(),
	): Promise<RenewedConnection> {
		const undefinedIfReported = (error: unknown) => {
			if (isDeletionReported && isDeletedCredential(error)) return undefined;
			throw error;
		};
		return new RenewedConnection(connect, now, await connect().catch(undefinedIfReported));
	}

	/** What no error may show, whether or not the credential is still there. */
	get secrets(): Connection['secrets'] {
		return this.last?.secrets ?? new Set();
	}

	/** The connection to use now, read again if that was so long ago; nothing if the credential was deleted. */
	async current(maxAgeMs = FRESH_MS): Promise<Connection | undefined> {
		if (this.now() - this.readAt >= maxAgeMs) await this.read();
		return this.connection;
	}

	/** Reads the credential again after a connection was refused; says whether there is another one to try. */
	async renewed(refused: Connection): Promise<boolean> {
		if (this.connection === refused) await this.read();
		return this.connection !== undefined && this.connection !== refused;
	}

	/** Reads once for all who ask meanwhile. The connection stays the same one as long as the credential does. */
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
