import type { StartedChange } from './fakeN8n';
import type { SimulatedRecord, RecordVersion } from './listService';
import type { ListSimulation } from './listSimulation';

const TOLERANCE_MS = 2000;
const MAX_UNSAVED_MS = 7 * 24 * 3_600_000;

/** State of a record at some time. */
const describeVersion = ({ content, status, checkedInAt }: RecordVersion) =>
	`${content} ${status} ${checkedInAt === undefined ? '' : 'in'}`;
const describeStarted = ({ record: { Content, Status, CheckIn } }: StartedChange) =>
	`${String(Content)} ${String(Status)} ${CheckIn === undefined ? '' : 'in'}`;

const countWhere = <T>(items: T[], test: (item: T) => boolean) => items.filter(test).length;

/** Returns the promises that a simulation has broken, from the changes at its service and the executions in its n8n. */
export function violatedInvariants(simulation: ListSimulation): string[] {
	const violations = [...simulation.violations];
	// In the order of requests: a start that n8n rejects at first is created later.
	const requestOrder = new Map([...simulation.n8n.requestedKeys].map((key, index) => [key, index]));
	const startedChanges = [...simulation.n8n.startedChanges].sort(
		(a, b) => requestOrder.get(a.key)! - requestOrder.get(b.key)!,
	);
	for (const record of simulation.service.records) {
		const recordChanges = startedChanges.filter(({ id }) => id === record.id);
		violations.push(...new RecordCheck(simulation, record, recordChanges).findViolations());
	}
	return violations;
}

/** Judges the executions that were started for one record. */
class RecordCheck {
	private readonly violations: string[] = [];
	/** Older records must not start an execution, and later ones must. Between the two times both are allowed. */
	private readonly notBefore: number;
	private readonly mustStartFrom: number;
	/** Whether n8n may have lost the state of this record, or its start expired and was reported. */
	private readonly isUnclear: boolean;
	private readonly mayRepeat: boolean;

	constructor(
		private readonly simulation: ListSimulation,
		private readonly record: SimulatedRecord,
		private readonly startedChanges: StartedChange[],
	) {
		const { history, followedFromMs, firstPollEndedAtMs, n8n, unclearIds } = simulation;
		const { skewMs, includeExisting, isFiltered, dates, dateHeader } = history;
		const toleranceMs = TOLERANCE_MS + 2 * skewMs;
		this.notBefore = includeExisting ? -Infinity : followedFromMs - toleranceMs;
		const isExact = isFiltered && dates !== 'zoneless' && dateHeader === 'always';
		// Unsaved state is forgotten after a week.
		const isSaved = simulation.time.nowMs < MAX_UNSAVED_MS && isExact;
		this.mustStartFrom = includeExisting
			? -Infinity
			: Math.min(firstPollEndedAtMs, isSaved ? followedFromMs + toleranceMs : Infinity);
		this.isUnclear = unclearIds.includes(record.id);
		this.mayRepeat =
			n8n.unsavedRecordIds.has(record.id) && (!history.keepsKeys || history.batchesChanges);
	}

	findViolations(): string[] {
		const { kinds } = this.simulation.history;
		if (kinds.includes('created')) this.checkCreated();
		if (kinds.includes('checkedIn')) this.checkCheckedIn();
		this.checkUnique();
		if (kinds.includes('updated')) {
			this.checkLast();
			if (this.simulation.stopCount === 0) this.checkEveryChange();
		} else if (kinds.includes('status') && !this.simulation.history.isFiltered)
			this.checkLastStatus();
		return this.violations.map((violation) => `${this.record.id} ${violation}`);
	}

	private check(isSatisfied: boolean, violation: string): void {
		if (!isSatisfied) this.violations.push(violation);
	}

	private get exists(): boolean {
		return this.record.deletedAt === Infinity;
	}

	private changesOfKind(kind: string): StartedChange[] {
		return this.startedChanges.filter((change) => change.kind === kind);
	}

	private checkCreated(): void {
		const times = this.changesOfKind('created').length;
		const { createdAt } = this.record;
		if (!this.mayRepeat) this.check(times <= 1, `is created ${times} times`);
		if (createdAt < this.notBefore) this.check(times === 0, 'is old, but started as created');
		if (createdAt > this.mustStartFrom && this.exists && !this.isUnclear) {
			this.check(times >= 1, 'is new, but never started as created');
		}
	}

	private checkCheckedIn(): void {
		const checkIns = this.changesOfKind('checkedIn');
		const { versions, servedVersions } = this.record;
		const eligible = versions.filter(
			({ checkedInAt, writtenAt }, index) =>
				checkedInAt !== undefined &&
				(checkedInAt >= this.notBefore || writtenAt >= this.notBefore) &&
				versions[index - 1]?.checkedInAt === undefined,
		);
		this.check(checkIns.length <= eligible.length || this.mayRepeat, 'is checked in too often');
		const { checkedInAt = -Infinity } = versions.at(-1)!;
		// A person who checked out and in again since the last poll counts as checked in all the time.
		const first = servedVersions.findIndex((version) => version.checkedInAt === checkedInAt);
		const wasIn = servedVersions[first - 1]?.checkedInAt !== undefined;
		if (checkedInAt > this.mustStartFrom && this.exists && !wasIn && !this.isUnclear) {
			const isReported = checkIns.some(
				({ record: { CheckIn } }) => CheckIn === this.simulation.service.formatTime(checkedInAt),
			);
			this.check(isReported, 'is checked in, but never started as checked in');
		}
	}

	/** Every start is true, happened since the activation, and is unique. */
	private checkUnique(): void {
		const { versions } = this.record;
		for (const kind of ['updated', 'status']) {
			const changes = this.changesOfKind(kind);
			for (const state of new Set(changes.map(describeStarted))) {
				const times = countWhere(changes, (change) => describeStarted(change) === state);
				const maxTimes = countWhere(
					versions,
					(version) => describeVersion(version) === state && version.writtenAt >= this.notBefore,
				);
				if (!this.mayRepeat) {
					this.check(times <= maxTimes, `is ${kind} to "${state}" ${times} times, not ${maxTimes}`);
				}
			}
		}
		for (const change of this.startedChanges) {
			this.check(
				versions.some((version) => describeVersion(version) === describeStarted(change)),
				`never was "${describeStarted(change)}"`,
			);
		}
	}

	/** Whether the record is new but starts no execution, since new records were not selected. */
	private get isNewWithoutStart(): boolean {
		return (
			this.record.createdAt >= this.notBefore && !this.simulation.history.kinds.includes('created')
		);
	}

	/** Whether it is undetermined if the record existed before. */
	private get isUndetermined(): boolean {
		const { createdAt } = this.record;
		return createdAt >= this.notBefore && createdAt <= this.mustStartFrom;
	}

	private get isUnknowable(): boolean {
		const { killCount, n8n } = this.simulation;
		return (
			!this.exists ||
			this.isUnclear ||
			this.isUndetermined ||
			n8n.unsavedRecordIds.has(this.record.id) ||
			(this.isNewWithoutStart && killCount > 0)
		);
	}

	/** The baseline: the first seen state of the record, if it started no execution. */
	private get baseline(): RecordVersion {
		const { versions, servedVersions } = this.record;
		return this.isNewWithoutStart ? (servedVersions[0] ?? versions[0]!) : versions[0]!;
	}

	/** Whether two versions are indistinguishable. */
	private isSameState(a: RecordVersion, b: RecordVersion): boolean {
		const { history, service } = this.simulation;
		const isStamped =
			history.isFiltered && service.formatTime(a.writtenAt) !== service.formatTime(b.writtenAt);
		return describeVersion(a) === describeVersion(b) && !isStamped;
	}

	/** The last start of a record has its current state. */
	private checkLast(): void {
		const version = this.record.versions.at(-1)!;
		if (
			this.isUnknowable ||
			version.writtenAt <= this.mustStartFrom ||
			this.isSameState(version, this.baseline)
		)
			return;
		const { isFiltered } = this.simulation.history;
		const state = describeVersion(version);
		if (isFiltered) {
			this.check(
				this.startedChanges.some((change) => describeStarted(change) === state),
				`is "${state}", but never started as such`,
			);
			return;
		}
		const last = this.startedChanges.at(-1);
		const lastState = last ? describeStarted(last) : describeVersion(this.baseline);
		this.check(lastState === state, `is "${state}", but the last start has "${lastState}"`);
	}

	private checkLastStatus(): void {
		const version = this.record.versions.at(-1)!;
		if (this.isUnknowable || version.writtenAt <= this.mustStartFrom) return;
		const lastChange = this.startedChanges.at(-1)?.record.Status ?? this.baseline.status;
		this.check(
			lastChange === version.status,
			`is ${version.status}, but the last start has ${String(lastChange)}`,
		);
	}

	/** If the trigger was never closed or killed, every seen change has started an execution. */
	private checkEveryChange(): void {
		if (this.isUnclear || this.isUndetermined) return;
		const expectedVersions: RecordVersion[] = [];
		let previous = this.baseline;
		for (const version of this.record.servedVersions) {
			if (!this.isSameState(version, previous) && version.writtenAt > this.mustStartFrom)
				expectedVersions.push(version);
			previous = version;
		}
		const { history, service } = this.simulation;
		for (const state of new Set(expectedVersions.map(describeVersion))) {
			const matchingVersions = expectedVersions.filter(
				(version) => describeVersion(version) === state,
			);
			// If stamps distinguish changes, a change that returns with its earlier stamp is the same one.
			const minTimes = history.isFiltered
				? new Set(matchingVersions.map(({ writtenAt }) => service.formatTime(writtenAt))).size
				: matchingVersions.length;
			const startedTimes = countWhere(
				this.startedChanges,
				(change) => describeStarted(change) === state,
			);
			this.check(
				startedTimes >= minTimes,
				`was served as "${state}" ${minTimes} times, but started ${startedTimes} times`,
			);
		}
	}
}
