import type { StartedChange } from './fakeN8n';
import type { SimulatedRecord, Version } from './listService';
import type { ListSimulation } from './listSimulation';

const GREY_MS = 2000;
const LONGEST_UNSAVED_MS = 7 * 24 * 3_600_000;

/** State of a record at some time. */
const stateOf = ({ content, status, checkIn }: Version) =>
	`${content} ${status} ${checkIn === undefined ? '' : 'in'}`;
const startedState = ({ record: { Content, Status, CheckIn } }: StartedChange) =>
	`${String(Content)} ${String(Status)} ${CheckIn === undefined ? '' : 'in'}`;

const count = <T>(items: T[], test: (item: T) => boolean) => items.filter(test).length;

/** Returns the promises that a simulation has broken, from the changes at its service and the executions in its n8n. */
export function violatedInvariants(world: ListSimulation): string[] {
	const broken = [...world.violations];
	// In the order of requests: a start that n8n rejects at first is created later.
	const order = new Map([...world.n8n.requestedKeys].map((key, index) => [key, index]));
	const all = [...world.n8n.startedChanges].sort((a, b) => order.get(a.key)! - order.get(b.key)!);
	for (const record of world.service.records) {
		const reported = all.filter(({ id }) => id === record.id);
		broken.push(...new RecordCheck(world, record, reported).broken());
	}
	return broken;
}

/** Judges the executions that were started for one record. */
class RecordCheck {
	private readonly found: string[] = [];
	/** Older records must not start an execution, and later ones must. Between the two times both are allowed. */
	private readonly old: number;
	private readonly mustStartFrom: number;
	/** Whether n8n may have lost the state of this record, or its start expired and was reported. */
	private readonly excused: boolean;
	private readonly mayRepeat: boolean;

	constructor(
		private readonly world: ListSimulation,
		private readonly record: SimulatedRecord,
		private readonly startedChanges: StartedChange[],
	) {
		const { history, from, calmFrom, n8n, unclear } = world;
		const { skewMs, includeExisting, isFiltered, dates, dateHeader } = history;
		const grey = GREY_MS + 2 * skewMs;
		this.old = includeExisting ? -Infinity : from - grey;
		const isExact = isFiltered && dates !== 'zoneless' && dateHeader === 'always';
		// Unsaved state is forgotten after a week.
		const isSaved = world.time.at < LONGEST_UNSAVED_MS && isExact;
		this.mustStartFrom = includeExisting
			? -Infinity
			: Math.min(calmFrom, isSaved ? from + grey : Infinity);
		this.excused = unclear.includes(record.id);
		this.mayRepeat = n8n.unsaved.has(record.id) && (!history.keepsKeys || history.together);
	}

	broken(): string[] {
		const { kinds } = this.world.history;
		if (kinds.includes('created')) this.created();
		if (kinds.includes('checkedIn')) this.checkedIn();
		this.once();
		if (kinds.includes('updated')) {
			this.last();
			if (this.world.ends === 0) this.all();
		} else if (kinds.includes('status') && !this.world.history.isFiltered) this.lastStatus();
		return this.found.map((what) => `${this.record.id} ${what}`);
	}

	private check(holds: boolean, what: string): void {
		if (!holds) this.found.push(what);
	}

	private get isThere(): boolean {
		return this.record.deletedAt === Infinity;
	}

	private of(kind: string): StartedChange[] {
		return this.startedChanges.filter((one) => one.kind === kind);
	}

	private created(): void {
		const times = this.of('created').length;
		const { created } = this.record;
		if (!this.mayRepeat) this.check(times <= 1, `is created ${times} times`);
		if (created < this.old) this.check(times === 0, 'is old, and called created');
		if (created > this.mustStartFrom && this.isThere && !this.excused) {
			this.check(times >= 1, 'is new, and never called created');
		}
	}

	private checkedIn(): void {
		const all = this.of('checkedIn');
		const { versions, served } = this.record;
		const eligible = versions.filter(
			({ checkIn, stamp }, index) =>
				checkIn !== undefined &&
				(checkIn >= this.old || stamp >= this.old) &&
				versions[index - 1]?.checkIn === undefined,
		);
		this.check(all.length <= eligible.length || this.mayRepeat, 'is checked in too often');
		const { checkIn = -Infinity } = versions.at(-1)!;
		// A person who checked out and in again since the last poll counts as checked in all the time.
		const first = served.findIndex((version) => version.checkIn === checkIn);
		const wasIn = served[first - 1]?.checkIn !== undefined;
		if (checkIn > this.mustStartFrom && this.isThere && !wasIn && !this.excused) {
			const isTold = all.some(
				({ record: { CheckIn } }) => CheckIn === this.world.service.text(checkIn),
			);
			this.check(isTold, 'is checked in, and nobody was told');
		}
	}

	/** Every start is true, happened since the activation, and is unique. */
	private once(): void {
		const { versions } = this.record;
		for (const kind of ['updated', 'status']) {
			const all = this.of(kind);
			for (const state of new Set(all.map(startedState))) {
				const times = count(all, (one) => startedState(one) === state);
				const most = count(versions, (one) => stateOf(one) === state && one.stamp >= this.old);
				if (!this.mayRepeat) {
					this.check(times <= most, `is ${kind} to "${state}" ${times} times, not ${most}`);
				}
			}
		}
		for (const one of this.startedChanges) {
			this.check(
				versions.some((version) => stateOf(version) === startedState(one)),
				`never was "${startedState(one)}"`,
			);
		}
	}

	/** Whether the record is new but starts no execution, since new records were not selected. */
	private get silentNew(): boolean {
		return this.record.created >= this.old && !this.world.history.kinds.includes('created');
	}

	/** Whether it is undetermined if the record existed before. */
	private get isGrey(): boolean {
		const { created } = this.record;
		return created >= this.old && created <= this.mustStartFrom;
	}

	private get unknowable(): boolean {
		const { kills, n8n } = this.world;
		return (
			!this.isThere ||
			this.excused ||
			this.isGrey ||
			n8n.unsaved.has(this.record.id) ||
			(this.silentNew && kills > 0)
		);
	}

	/** The baseline: the first seen state of the record, if it started no execution. */
	private get first(): Version {
		const { versions, served } = this.record;
		return this.silentNew ? (served[0] ?? versions[0]!) : versions[0]!;
	}

	/** Whether two versions are indistinguishable. */
	private same(a: Version, b: Version): boolean {
		const { history, service } = this.world;
		const isStamped = history.isFiltered && service.text(a.stamp) !== service.text(b.stamp);
		return stateOf(a) === stateOf(b) && !isStamped;
	}

	/** The last start of a record has its current state. */
	private last(): void {
		const version = this.record.versions.at(-1)!;
		if (this.unknowable || version.stamp <= this.mustStartFrom || this.same(version, this.first))
			return;
		const { isFiltered } = this.world.history;
		const state = stateOf(version);
		if (isFiltered) {
			this.check(
				this.startedChanges.some((one) => startedState(one) === state),
				`is "${state}", and nobody was told`,
			);
			return;
		}
		const last = this.startedChanges.at(-1);
		const before = last ? startedState(last) : stateOf(this.first);
		this.check(before === state, `is "${state}", and the last that was told is "${before}"`);
	}

	private lastStatus(): void {
		const version = this.record.versions.at(-1)!;
		if (this.unknowable || version.stamp <= this.mustStartFrom) return;
		const last = this.startedChanges.at(-1)?.record.Status ?? this.first.status;
		this.check(last === version.status, `is ${version.status}, the last told is ${String(last)}`);
	}

	/** If the trigger was never closed or killed, every seen change has started an execution. */
	private all(): void {
		if (this.excused || this.isGrey) return;
		const turns: Version[] = [];
		let before = this.first;
		for (const version of this.record.served) {
			if (!this.same(version, before) && version.stamp > this.mustStartFrom) turns.push(version);
			before = version;
		}
		const { history, service } = this.world;
		for (const state of new Set(turns.map(stateOf))) {
			const times = turns.filter((version) => stateOf(version) === state);
			// If stamps distinguish changes, a change that returns with its earlier stamp is the same one.
			const least = history.isFiltered
				? new Set(times.map(({ stamp }) => service.text(stamp))).size
				: times.length;
			const reported = count(this.startedChanges, (one) => startedState(one) === state);
			this.check(
				reported >= least,
				`was seen "${state}" ${least} times, and told ${reported} times`,
			);
		}
	}
}
