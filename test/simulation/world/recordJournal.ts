import type { Sandbox } from '../../../sandbox/server';
import type { World } from './world';

type Values = Record<string, string>;

/** Records whose ID no form has. */
const TABLES = ['contacts', 'registrations'] as const;
/** Fields that the service sets at each write. */
const OWN_FIELDS = ['LastUpdated', 'DateAdded', 'RegistrationDate', 'ConfirmationCode'];

/** Compares the records of the event registration service before and after each act, and records what has changed. */
export class RecordJournal {
	private before: Record<string, Record<string, Values>>;

	constructor(
		private readonly world: World,
		private readonly sandbox: Pick<Sandbox, 'storedRecords'>,
	) {
		this.before = this.read();
	}

	/** Records the changes since the last call, by a request or by an organizer. */
	update(request?: number): void {
		const { before } = this;
		this.before = this.read();
		for (const table of TABLES) {
			const [old, now] = [before[table]!, this.before[table]!];
			for (const id of Object.keys({ ...old, ...now })) {
				if (JSON.stringify(old[id]) === JSON.stringify(now[id])) continue;
				this.world.record({
					type: 'recordChanged',
					table,
					id,
					...(old[id] && { before: old[id] }),
					...(now[id] && { after: now[id] }),
					...(request !== undefined && { request }),
				});
			}
		}
	}

	private read() {
		const stored = this.sandbox.storedRecords('eventRegistration') as Record<
			string,
			Record<string, object>
		>;
		return Object.fromEntries(
			TABLES.map((table) => [
				table,
				Object.fromEntries(
					Object.entries(stored[table]!).map(([id, record]) => [
						id,
						toValues(record as Record<string, unknown>),
					]),
				),
			]),
		);
	}
}

/** Returns the values of a record by the names of its form. */
function toValues({ CustomFields, ...properties }: Record<string, unknown>): Values {
	const custom = (CustomFields ?? []) as Array<{ Name: string; Value?: string }>;
	return Object.fromEntries([
		...Object.entries(properties)
			.filter(([name]) => !OWN_FIELDS.includes(name))
			.map(([name, value]) => [name, String(value)]),
		...custom.map(({ Name, Value = '' }) => [Name, Value]),
	]) as Values;
}
