import type { Connection } from '../request';

/** How long a credential is used before it is read again. */
const FRESH_MS = 60_000;

/**
 * The connection of a trigger, for as long as it runs. Reading a credential is dear, so it is read once a minute and after
 * the service refused it. A credential that cannot be read for now is used as it was.
 */
export class Line {
	private readAt: number;
	private reading: Promise<void> | undefined;

	private constructor(
		private readonly connect: () => Promise<Connection>,
		private readonly now: () => number,
		private connection: Connection,
	) {
		this.readAt = now();
	}

	/** Reads the credential for the first time; rejects if that fails. */
	static async open(
		connect: () => Promise<Connection>,
		now: () => number = () => performance.now(),
	): Promise<Line> {
		return new Line(connect, now, await connect());
	}

	/** The connection as it was last read. */
	get latest(): Connection {
		return this.connection;
	}

	/** The connection to use now, read again if that was so long ago. */
	async current(maxAgeMs = FRESH_MS): Promise<Connection> {
		if (this.now() - this.readAt >= maxAgeMs) await this.read();
		return this.connection;
	}

	/** Reads the credential again after a connection was refused; says whether there is another one to try. */
	async renewed(refused: Connection): Promise<boolean> {
		if (this.connection === refused) await this.read();
		return this.connection !== refused;
	}

	/** Reads once for all who ask meanwhile. The connection stays the same one as long as the credential does. */
	private async read(): Promise<void> {
		this.reading ??= this.connect()
			.then((connection) => {
				if (!same(connection, this.connection)) this.connection = connection;
			})
			.catch(() => undefined)
			.finally(() => {
				this.readAt = this.now();
				this.reading = undefined;
			});
		await this.reading;
	}
}

const same = (a: Connection, b: Connection) =>
	JSON.stringify(a.credential) === JSON.stringify(b.credential);
