import type { Clock } from '../../../watch';
import type { ListSnapshot, SavedList } from './listSnapshot';
import type { Outbox } from './outbox';
import { TrackedList } from './trackedList';
import type { FollowOptions, ListDefinition } from './types';

/** How many lists that are no longer followed keep their state, in case they are followed again. */
const MAX_INACTIVE_LISTS = 100;
/**
 * If the service did not answer for longer than this after the first activation, following begins with its first response and
 * not with the activation.
 */
const MAX_INITIAL_WAIT_MS = 7 * 24 * 3_600_000;

/**
 * Resolution of the Date header, which is rounded down to the second: a header of 10:00:05 can mean 10:00:05.9. The time
 * since the activation is shortened by this resolution, so that `followedSince` does not lie before the activation.
 */
const DATE_RESOLUTION_MS = 1000;

/** The lists that are followed now, and the state of those that were followed before. */
export class TrackedLists<Followed extends ListDefinition> {
	private readonly tracked = new Map<string, TrackedList<Followed>>();
	/** Lists that are not followed, or not yet: those of the restored snapshot, and later ones. */
	private readonly inactive: Map<string, SavedList>;
	/** When the trigger was first activated, by our wall clock. */
	private readonly activatedAt: number;
	/** Time from the first activation to the creation of this object. */
	private readonly waitedBeforeRestartMs: number;
	/** When this object was created, on the monotonic clock. */
	private readonly createdAt: number;
	/**
	 * The saves before the restart. A process adds one at its start and the number of lists later, so the remainder after a
	 * division by that number grows by one with each restart.
	 */
	private readonly savesBeforeRestart: number;
	/** Whether the restored snapshot contains a list that was read to its end. */
	private readonly hasReadBefore: boolean;
	/** When the last round began, by the service's clock. */
	private lastRoundAt: number | undefined;
	/**
	 * The latest saved cursor of each category of discovered lists (`ListDefinition.discoveredAs`). Stands for the last
	 * round before the restart.
	 */
	private readonly savedLastRounds = new Map<string, number>();
	/**
	 * Whether a round has discovered lists since the restart. Until then, all restored lists may still be followed, and all are
	 * saved.
	 */
	private hasDiscovered = false;

	constructor(
		private readonly options: FollowOptions,
		private readonly clock: Clock,
		snapshot?: ListSnapshot,
		private readonly takeRestored?: Outbox<Followed>['takeRestored'],
	) {
		this.activatedAt = snapshot?.activatedAt ?? clock.now();
		this.waitedBeforeRestartMs = clock.now() - this.activatedAt;
		this.createdAt = clock.monotonic();
		this.savesBeforeRestart = snapshot?.saves ?? 0;
		this.inactive = new Map(snapshot?.lists.map((list) => [list.key, list]));
		for (const { cursor, discoveredAs } of this.inactive.values()) {
			if (cursor === undefined || discoveredAs === undefined) continue;
			this.savedLastRounds.set(
				discoveredAs,
				Math.max(cursor, this.savedLastRounds.get(discoveredAs) ?? -Infinity),
			);
		}
		this.hasReadBefore = [...this.inactive.values()].some(({ cursor }) => cursor !== undefined);
	}

	get all(): Array<TrackedList<Followed>> {
		return [...this.tracked.values()];
	}

	/**
	 * The lists in the order in which a round polls them. A round ends when the service becomes unavailable. In this order,
	 * a list whose requests always make the service unavailable does not starve the other lists. After each restart the first
	 * round begins with the next list, so that a crash during its first poll does not starve the others either.
	 */
	get leastRecentlyPolledFirst(): Array<TrackedList<Followed>> {
		const { all } = this;
		const rotated = all.splice(this.savesBeforeRestart % (all.length || 1)).concat(all);
		return rotated.sort((a, b) => a.lastPolledAt - b.lastPolledAt);
	}

	/**
	 * Returns how many records are known in other lists. A list that is too long itself does not use up the limit of the
	 * others.
	 */
	countKnownOutside(tracked: TrackedList<Followed>): number {
		return this.all
			.filter((other) => other !== tracked && !other.reported.has('tooManyRecords'))
			.reduce((sum, { size }) => sum + size, 0);
	}

	/**
	 * Whether no more records of a list are awaited: it was read to its end since the last restart, or the user no longer selects
	 * it. A discovered list that is missing may come back.
	 */
	readonly isDone = (key: string): boolean =>
		this.tracked.get(key)?.wasRead ?? this.inactive.get(key)?.discoveredAs === undefined;

	/**
	 * Replaces the followed lists. If a list was discovered since the last round, its changes count from that round on. If
	 * the user selected the list, its changes count from now on.
	 */
	setLists(lists: Followed[], serviceNow: number | undefined): void {
		const previous = new Map(this.tracked);
		this.tracked.clear();
		this.hasDiscovered = true;
		for (const list of lists) {
			const { key } = list;
			const tracked = previous.get(key) ?? this.restoreOrCreate(list);
			tracked.list = list;
			if (serviceNow !== undefined) this.setFollowedSince(tracked, serviceNow);
			this.tracked.set(key, tracked);
			previous.delete(key);
		}
		for (const [key, tracked] of previous) this.inactive.set(key, tracked.toSaved());
	}

	/** Sets since when a list is followed, unless that is known. Derives this time from the service's current time. */
	setFollowedSince(tracked: TrackedList<Followed>, serviceNow: number): void {
		tracked.setFollowedSince(serviceNow - this.waitedMs());
	}

	/** Ends a round that began at `serviceTime`, by the service's clock. */
	endRound(serviceTime: number | undefined): void {
		this.lastRoundAt = serviceTime ?? this.lastRoundAt;
	}

	toSaved(): Pick<ListSnapshot, 'activatedAt' | 'lists'> {
		return {
			activatedAt: this.activatedAt,
			lists: [
				...[...this.inactive.values()].slice(this.hasDiscovered ? -MAX_INACTIVE_LISTS : 0),
				...this.all.map((tracked) => tracked.toSaved()),
			],
		};
	}

	private restoreOrCreate(list: Followed): TrackedList<Followed> {
		const { key } = list;
		const savedList = this.inactive.get(key);
		this.inactive.delete(key);
		const tracked = new TrackedList(list, this.options, savedList, this.takeRestored);
		const { discoveredAs } = list;
		const lastRound = discoveredAs && (this.lastRoundAt ?? this.savedLastRounds.get(discoveredAs));
		if (!savedList && typeof lastRound === 'number' && Number.isFinite(lastRound)) {
			if (list.isFiltered) tracked.startFrom(lastRound);
			else tracked.setFollowedSince(lastRound);
		}
		return tracked;
	}

	/**
	 * Returns how long the trigger has waited for the service's first response: following begins with the activation, not with
	 * that response.
	 */
	private waitedMs(): number {
		if (this.hasReadBefore || this.lastRoundAt !== undefined) return 0;
		const waited = this.waitedBeforeRestartMs + this.clock.monotonic() - this.createdAt;
		return waited > 2 * DATE_RESOLUTION_MS && waited < MAX_INITIAL_WAIT_MS
			? waited - DATE_RESOLUTION_MS
			: 0;
	}
}
