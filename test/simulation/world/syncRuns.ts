import type { ListedRecord, RecordedPlan, SyncInput } from '../history';
import type { WorldPlan } from '../subjects/worldPlan';
import { Database } from './database';
import type { N8nProcess } from './n8nProcess';
import type { PackCores } from './packBundle';
import { SyncList } from './syncList';
import type { World } from './world';

/** A Sync that a user starts. The user repeats a Sync that did not end well. */
export interface PlannedSync {
	atMs: number;
	input: SyncInput;
	mode: 'preview' | 'apply';
	/** Number of the preview that a user signs off, in the preview and in the Sync that expects its plan. */
	signOff?: number;
}

type Plan = ReturnType<PackCores['syncPlan']['makePlan']>;
type Scope = Parameters<PackCores['syncPlan']['makePlan']>[0];

const STARTUP_MS = 2000;
const REPEAT_MS = 5000;
const MAX_LATENCY_MS = 80;
const LONG_DELAY_MS = 4000;
const EMAIL = 'Email';
const LIST = { baseUrl: 'http://list.test', listId: '1' };
/** Fields of a contact that are properties of the record. The others are custom fields. */
const PROPERTIES = [EMAIL, 'LastName'];

/** Runs Syncs one after the other: reads the list, lets the pack's core plan, and writes the plan as a node would. */
export class SyncRuns {
	readonly database: Database;
	readonly list: SyncList;
	private readonly queue: PlannedSync[] = [];
	private areFaultsOver = false;
	private readonly previews = new Map<number, { asOf: number; digest: string }>();
	private runCount = 0;
	private requestCount = 0;

	constructor(
		private readonly world: World,
		private readonly cores: PackCores,
		private readonly plan: WorldPlan,
	) {
		this.database = new Database(world, plan);
		this.list = new SyncList(world);
	}

	endFaults(): void {
		this.areFaultsOver = true;
	}

	isOver(): boolean {
		return this.queue.length === 0 && this.areFaultsOver;
	}

	async start(): Promise<void> {
		const process = this.world.startProcess();
		await this.world.machine.sleep(STARTUP_MS);
		while (!process.hasEnded()) {
			const isDone = this.queue[0] !== undefined && (await this.sync(process, this.queue[0]));
			if (isDone) this.queue.shift();
			else await this.world.machine.sleep(REPEAT_MS);
		}
	}

	async stop(): Promise<void> {
		const { process } = this.world;
		if (process) this.world.endProcess(process, false);
		await Promise.resolve();
	}

	takeOver(): void {
		this.world.kill(0);
	}

	publishAgain = async (): Promise<void> => await Promise.resolve();

	/** Lets a user start a Sync, after those that run. */
	add(sync: PlannedSync): void {
		this.queue.push(sync);
	}

	/** Runs a Sync. Returns whether the user need not repeat it. */
	private async sync(process: N8nProcess, planned: PlannedSync): Promise<boolean> {
		const { world, cores } = this;
		const { input, mode, signOff } = planned;
		const run = ++this.runCount;
		world.record({ type: 'syncBegan', run, input });
		let contacts: ReturnType<SyncList['read']> = [];
		const readAt = Math.round(world.machine.nowMs);
		const isRead = await this.request(process, 'read', () => (contacts = this.list.read()));
		if (!isRead) return false;
		const expected = mode === 'apply' ? this.previews.get(signOff ?? -1) : undefined;
		const asOf = expected?.asOf ?? readAt;
		const listed = contacts.map(({ id, addedAt, values }) => ({ id, addedAt, values }));
		world.record({ type: 'listRead', run, contacts: listed, asOf });
		const { scope, plan } = this.makePlan(input, contacts, asOf);
		const { readChangeLimit, findExceededLimit } = cores.syncLimits;
		const limit = (text?: string) => (text === undefined ? undefined : readChangeLimit(text, ''));
		const exceeded = findExceededLimit(plan, contacts.length, {
			removals: limit(input.maxRemovals),
			changes: limit(input.maxChanges),
		});
		const digest = cores.syncDigest.digestOf(LIST, scope, plan);
		world.record({
			type: 'planned',
			run,
			plan: toRecordedPlan(plan),
			digest,
			...(exceeded !== undefined && { exceeded }),
		});
		if (mode === 'preview' && signOff !== undefined) this.previews.set(signOff, { asOf, digest });
		if (mode === 'preview' || exceeded !== undefined) return true;
		if (expected && expected.digest !== digest) return true;
		const isComplete = await this.write(process, input, plan);
		const after = this.list.read().map(({ id, addedAt, values }) => ({ id, addedAt, values }));
		world.record({ type: 'syncEnded', run, isComplete, contacts: after });
		return isComplete;
	}

	private makePlan(input: SyncInput, contacts: ListedRecord[], asOf: number) {
		const { normalizeMatchKey, makePlan, createTextDeduplicator } = this.cores.syncPlan;
		const { matchBy, kinds, rows: given, invalidRows: invalid, missing } = input;
		const fields = Object.entries(kinds).map(([name, kind]) => ({ name, caption: name, kind }));
		const scope = { matchBy, fields } as Scope;
		const rows = given.map((values, index) => ({
			index,
			key: normalizeMatchKey(matchBy, values[matchBy] ?? ''),
			values: fields.map(({ name }) => values[name]),
		}));
		const normalized = (name: string) =>
			new Set(invalid.map((values) => normalizeMatchKey(name, values[name] ?? '')));
		const listed = contacts
			.map((contact) => this.cores.syncList.toListedContact(toServiceRecord(contact), scope))
			.map(createTextDeduplicator(scope, rows));
		const plan = makePlan(scope, rows, listed, {
			missingPolicy: missing,
			asOf,
			invalidRows: { keys: normalized(matchBy), emails: normalized(EMAIL) },
			...(invalid.length > 0 && { removalBlockedReason: 'Some items are invalid' }),
		});
		return { scope, plan };
	}

	/** Writes a plan: updates, new contacts, removals. Contacts that an organizer has changed meanwhile are left as they are. */
	private async write(process: N8nProcess, input: SyncInput, plan: Plan): Promise<boolean> {
		const { list } = this;
		let isComplete = true;
		const send = async (endpoint: string, carryOut: () => void) => {
			if (!(await this.request(process, endpoint, carryOut))) isComplete = false;
		};
		const valuesOf = (row: Plan['rows'][number]) =>
			'changes' in row
				? Object.fromEntries(row.changes.map(({ field, to }) => [field, to]))
				: undefined;
		for (const row of plan.rows) {
			if (row.change !== 'updated') continue;
			const id = Number(row.contact.id);
			await send('update', () => {
				if (list.find(id)) list.change(id, valuesOf(row)!);
			});
		}
		for (const row of plan.rows) {
			if (row.change !== 'created') continue;
			await send('add', () => {
				if (!this.hasKey(input, row.row.key)) list.add(valuesOf(row)!);
			});
		}
		for (const { change, contact } of plan.unmatched) {
			if (change !== 'removed') continue;
			const id = Number(contact.id);
			await send('remove', () => {
				const current = list.find(id);
				if (current?.updatedAt === contact.updatedAt) list.remove(id);
			});
		}
		return isComplete;
	}

	private hasKey({ matchBy }: SyncInput, key: string): boolean {
		const { normalizeMatchKey } = this.cores.syncPlan;
		return this.list
			.read()
			.some(({ values }) => normalizeMatchKey(matchBy, values[matchBy] ?? '') === key);
	}

	/** Sends a request, which may fail before or after the service carries it out. Returns whether it succeeded. */
	private async request(
		process: N8nProcess,
		endpoint: string,
		carryOut: () => void,
	): Promise<boolean> {
		const { world, plan } = this;
		const number = ++this.requestCount;
		const planned = plan.faults.find(({ request }) => request === number)?.fault;
		const fault = this.areFaultsOver ? undefined : planned;
		if (fault) world.faultCount++;
		const isDelayed = fault === 'delayed';
		const isLate = fault === 'lostAfter' || fault === 'truncated';
		const latencyMs = world.random.next() * (isDelayed ? LONG_DELAY_MS : MAX_LATENCY_MS);
		await world.cause(
			process,
			'request',
			async () => {
				await world.machine.sleep(latencyMs / 2);
				if (!fault || isDelayed || isLate) carryOut();
			},
			endpoint,
		);
		return await world.cause(
			process,
			'response',
			async () => {
				await world.machine.sleep(latencyMs / 2);
				return !fault || isDelayed;
			},
			endpoint,
		);
	}
}

/** Returns a contact as the service shows it. */
function toServiceRecord({ id, addedAt, values, ...rest }: ListedRecord & { updatedAt?: number }) {
	const entries = Object.entries(values);
	const custom = entries.filter(([name]) => !PROPERTIES.includes(name));
	return {
		ContactId: id,
		...Object.fromEntries(entries.filter(([name]) => PROPERTIES.includes(name))),
		CustomFields: custom.map(([Name, Value]) => ({ Name, Value })),
		DateAdded: new Date(addedAt).toISOString(),
		LastUpdated: new Date(rest.updatedAt ?? addedAt).toISOString(),
	};
}

const toRecordedPlan = ({ rows, unmatched }: Plan): RecordedPlan => ({
	rows: rows.map(({ change, contact, ...planned }) => ({
		change,
		...(contact && { contact: Number(contact.id) }),
		changes:
			'changes' in planned && (change === 'created' || change === 'updated')
				? planned.changes.map(({ field, from, to }) => ({ field, from, to }))
				: [],
	})),
	unmatched: unmatched.map(({ change, contact }) => ({ change, contact: Number(contact.id) })),
});
