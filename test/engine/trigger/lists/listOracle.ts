import type { StartedChange } from './fakeN8n';
import type { SimulatedRecord, RecordVersion } from './listService';
import type { ListSimulation } from './listSimulation';

const TOLERANCE_MS = 2000;
/** If the service first responds later than this after the activation, following begins with its response. */
const MAX_INITIAL_WAIT_MS = 7 * 24 * 3_600_000;

/** Describes the state of a record, in the same words for the service's record and for the record of a start. */
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
	/**
	 * Changes before `mayStartFrom` must not start an execution, and changes after `mustStartFrom` must. Between the two times
	 * both are allowed.
	 */
	private readonly mayStartFrom: number;
	private readonly mustStartFrom: number;
	/** Whether the follower reported that it does not know if the record started an execution. */
	private readonly isUnclear: boolean;
	/** Whether n8n lost the saved state of a start and cannot recognize its repetition by the key. */
	private readonly mayRepeat: boolean;

	constructor(
		private readonly simulation: ListSimulation,
		private readonly record: SimulatedRecord,
		private readonly startedChanges: StartedChange[],
	) {
		const { history, followedFrom, firstPollEndedAt, n8n, unclearIds } = simulation;
		const { skewMs, includeExisting, isFiltered, dateFormat, dateHeader } = history;
		const toleranceMs = TOLERANCE_MS + 2 * skewMs;
		this.mayStartFrom = includeExisting ? -Infinity : followedFrom - toleranceMs;
		const areDatesExact = isFiltered && dateFormat !== 'zoneless' && dateHeader === 'always';
		const isActivationDecisive = simulation.time.nowMs < MAX_INITIAL_WAIT_MS && areDatesExact;
		this.mustStartFrom = includeExisting
			? -Infinity
			: Math.min(firstPollEndedAt, isActivationDecisive ? followedFrom + toleranceMs : Infinity);
		this.isUnclear = unclearIds.includes(record.id);
		this.mayRepeat =
			n8n.unsavedRecordIds.has(record.id) && (!history.keepsKeys || history.batchesChanges);
	}

	findViolations(): string[] {
		const { kinds } = this.simulation.history;
		if (kinds.includes('created')) this.checkCreated();
		if (kinds.includes('checkedIn')) this.checkCheckedIn();
		this.checkStartsAreTrueAndUnique();
		if (kinds.includes('updated')) {
			this.checkLastState();
			if (this.simulation.stopCount === 0) this.checkEveryChange();
		} else if (kinds.includes('status') && !this.simulation.history.isFiltered)
			this.checkLastStatus();
		return this.violations.map((violation) => `${this.record.id} ${violation}`);
	}

	private check(isSatisfied: boolean, violation: string): void {
		if (!isSatisfied) this.violations.push(violation);
	}

	private get exists(): boolean {
		return this.record.deletedAtMs === Infinity;
	}

	private findChanges(kind: string): StartedChange[] {
		return this.startedChanges.filter((change) => change.kind === kind);
	}

	private checkCreated(): void {
		const startCount = this.findChanges('created').length;
		const { createdAt } = this.record;
		if (!this.mayRepeat) this.check(startCount <= 1, `started as created ${startCount} times`);
		if (createdAt < this.mayStartFrom)
			this.check(startCount === 0, 'is old, but started as created');
		if (createdAt > this.mustStartFrom && this.exists && !this.isUnclear) {
			this.check(startCount >= 1, 'is new, but never started as created');
		}
	}

	private checkCheckedIn(): void {
		const startedCheckIns = this.findChanges('checkedIn');
		const { versions, servedVersions } = this.record;
		const checkInVersions = versions.filter(
			({ checkedInAt, writtenAt }, index) =>
				checkedInAt !== undefined &&
				(checkedInAt >= this.mayStartFrom || writtenAt >= this.mayStartFrom) &&
				versions[index - 1]?.checkedInAt === undefined,
		);
		this.check(
			startedCheckIns.length <= checkInVersions.length || this.mayRepeat,
			'started as checked in too often',
		);
		const { checkedInAt = -Infinity } = versions.at(-1)!;
		// A person who checked out and in again since the last poll counts as checked in all the time.
		const servedIndex = servedVersions.findIndex((version) => version.checkedInAt === checkedInAt);
		const wasCheckedIn = servedVersions[servedIndex - 1]?.checkedInAt !== undefined;
		if (checkedInAt > this.mustStartFrom && this.exists && !wasCheckedIn && !this.isUnclear) {
			const hasStarted = startedCheckIns.some(
				({ record: { CheckIn } }) => CheckIn === this.simulation.service.formatTime(checkedInAt),
			);
			this.check(hasStarted, 'is checked in, but never started as checked in');
		}
	}

	/** Checks that each start shows a state that the record had since the activation, and shows it once. */
	private checkStartsAreTrueAndUnique(): void {
		const { versions } = this.record;
		for (const kind of ['updated', 'status']) {
			const changes = this.findChanges(kind);
			for (const state of new Set(changes.map(describeStarted))) {
				const startCount = countWhere(changes, (change) => describeStarted(change) === state);
				const versionCount = countWhere(
					versions,
					(version) => describeVersion(version) === state && version.writtenAt >= this.mayStartFrom,
				);
				if (!this.mayRepeat) {
					this.check(
						startCount <= versionCount,
						`started as ${kind} to "${state}" ${startCount} times, but was so ${versionCount} times`,
					);
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
			this.record.createdAt >= this.mayStartFrom &&
			!this.simulation.history.kinds.includes('created')
		);
	}

	/** Whether it is undetermined if the record existed before. */
	private get isUndetermined(): boolean {
		const { createdAt } = this.record;
		return createdAt >= this.mayStartFrom && createdAt <= this.mustStartFrom;
	}

	/** Whether no rule can say with which state the record must have started. */
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

	/** The state with which the first change is compared: the first served one if the record is new without a start. */
	private get baseline(): RecordVersion {
		const { versions, servedVersions } = this.record;
		return this.isNewWithoutStart ? (servedVersions[0] ?? versions[0]!) : versions[0]!;
	}

	/** Whether the follower cannot distinguish two versions. */
	private isSameState(a: RecordVersion, b: RecordVersion): boolean {
		const { history, service } = this.simulation;
		const haveDifferentStamps =
			history.isFiltered && service.formatTime(a.writtenAt) !== service.formatTime(b.writtenAt);
		return describeVersion(a) === describeVersion(b) && !haveDifferentStamps;
	}

	/** Checks that the last start of a record shows its current state. In a filtered list, any start may show it. */
	private checkLastState(): void {
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
		const lastStart = this.startedChanges.at(-1);
		const lastState = lastStart ? describeStarted(lastStart) : describeVersion(this.baseline);
		this.check(lastState === state, `is "${state}", but the last start has "${lastState}"`);
	}

	/** Checks that the last start of a record shows its current status. */
	private checkLastStatus(): void {
		const version = this.record.versions.at(-1)!;
		if (this.isUnknowable || version.writtenAt <= this.mustStartFrom) return;
		const lastStatus = this.startedChanges.at(-1)?.record.Status ?? this.baseline.status;
		this.check(
			lastStatus === version.status,
			`is ${version.status}, but the last start has ${String(lastStatus)}`,
		);
	}

	/** Checks that every served change has started an execution. This applies if the trigger was never closed or killed. */
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
			const minStartCount = history.isFiltered
				? new Set(matchingVersions.map(({ writtenAt }) => service.formatTime(writtenAt))).size
				: matchingVersions.length;
			const startCount = countWhere(
				this.startedChanges,
				(change) => describeStarted(change) === state,
			);
			this.check(
				startCount >= minStartCount,
				`was served as "${state}" ${minStartCount} times, but started ${startCount} times`,
			);
		}
	}
}
