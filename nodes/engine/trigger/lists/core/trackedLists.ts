import type { Clock } from '../../ids/core';
import type { SavedStart, ListSnapshot, SavedSource } from './saved';
import { TrackedList } from './trackedList';
import type { FollowOptions, Source } from './types';

/** How many lists that are not followed any more are remembered, in case they come back. */
const MAX_INACTIVE_LISTS = 100;
/** A trigger that waited for its service longer than this begins when the service is back. */
const MAX_INITIAL_WAIT_MS = 7 * 24 * 3_600_000;

/** The date of an answer is the beginning of its second: by so much less has it been waiting for sure. */
const DATE_RESOLUTION_MS = 1000;

/** Which lists are followed, and which were before. */
export class TrackedLists<Followed extends Source> {
	private readonly tracked = new Map<string, TrackedList<Followed>>();
	/** Those that were followed in this life, and those of earlier ones. */
	private readonly inactive = new Map<string, TrackedList<Followed>>();
	private readonly savedInactive: Map<string, SavedSource>;
	private readonly savedStarts: SavedStart[];
	/** When the trigger was first switched on, by our clock. */
	private readonly began: number;
	/** How long ago that was when this life began, and when that was by the monotonic clock. */
	private readonly waitedBeforeRestartMs: number;
	private readonly createdAt: number;
	/** Whether an earlier life has read anything. */
	private readonly hasReadBefore: boolean;
	/** When the last round began, by the service's clock: of this life, and of earlier ones by the kind of what was found then. */
	private lastRoundAt: number | undefined;
	private readonly savedLastRounds = new Map<string, number>();
	/** Whether it is known yet what is still followed of what was saved. */
	private hasSources = false;

	constructor(
		private readonly options: FollowOptions,
		private readonly clock: Clock,
		saved?: ListSnapshot,
	) {
		this.began = saved?.began ?? clock.now();
		this.waitedBeforeRestartMs = clock.now() - this.began;
		this.createdAt = clock.monotonic();
		this.savedStarts = saved?.asked ?? [];
		this.savedInactive = new Map(saved?.sources.map((source) => [source.key, source]));
		for (const { cursor, found } of this.savedInactive.values()) {
			if (cursor === undefined || found === undefined) continue;
			this.savedLastRounds.set(
				found,
				Math.max(cursor, this.savedLastRounds.get(found) ?? -Infinity),
			);
		}
		this.hasReadBefore = [...this.savedInactive.values()].some(
			({ cursor }) => cursor !== undefined,
		);
	}

	/** The lists that are followed now. */
	get all(): Array<TrackedList<Followed>> {
		return [...this.tracked.values()];
	}

	/** The same, those first that were not looked at for longest: one that the service breaks off at holds up no other. */
	get leastRecentlyPolledFirst(): Array<TrackedList<Followed>> {
		return this.all.sort((a, b) => a.lastPolledAt - b.lastPolledAt);
	}

	/** Whether a list was read to its end in this life. */
	readonly wasRead = (key: string): boolean => this.tracked.get(key)?.wasRead === true;

	/** Follows what there is now. A list that was found since the last round counts from that round on, one that was chosen from now. */
	setSources(sources: Followed[], serviceNow: number | undefined): void {
		const previous = new Map(this.tracked);
		this.tracked.clear();
		this.hasSources = true;
		for (const source of sources) {
			const { key } = source;
			const tracked = previous.get(key) ?? this.restoreOrCreate(source);
			tracked.source = source;
			if (serviceNow !== undefined) this.setFloor(tracked, serviceNow);
			this.tracked.set(key, tracked);
			previous.delete(key);
		}
		for (const [key, tracked] of previous) this.inactive.set(key, tracked);
	}

	/** Says what time it is at the service, for a list that has not begun. */
	setFloor(tracked: TrackedList<Followed>, serviceNow: number): void {
		tracked.setFloor(serviceNow - this.waitedMs());
	}

	/** Notes that a round is over that began at a time of the service. */
	endRound(began: number | undefined): void {
		this.lastRoundAt = began ?? this.lastRoundAt;
	}

	toSaved(): Pick<ListSnapshot, 'began' | 'sources'> {
		return {
			began: this.began,
			sources: [
				...[...this.savedInactive.values()].slice(this.hasSources ? -MAX_INACTIVE_LISTS : 0),
				...[...this.inactive.values()]
					.slice(-MAX_INACTIVE_LISTS)
					.map((tracked) => tracked.toSaved()),
				...this.all.map((tracked) => tracked.toSaved()),
			],
		};
	}

	private restoreOrCreate(source: Followed): TrackedList<Followed> {
		const { key } = source;
		const inactive = this.inactive.get(key);
		this.inactive.delete(key);
		if (inactive) return inactive;
		const saved = this.savedInactive.get(key);
		this.savedInactive.delete(key);
		const tracked = new TrackedList(source, this.options, saved, this.savedStarts);
		const { found } = source;
		const lastRound = found && (this.lastRoundAt ?? this.savedLastRounds.get(found));
		if (!saved && typeof lastRound === 'number' && Number.isFinite(lastRound)) {
			if (source.filtered) tracked.startFrom(lastRound);
			else tracked.setFloor(lastRound);
		}
		return tracked;
	}

	/** For how long it has been waiting for its service to answer for the first time. */
	private waitedMs(): number {
		if (this.hasReadBefore || this.lastRoundAt !== undefined) return 0;
		const waited = this.waitedBeforeRestartMs + this.clock.monotonic() - this.createdAt;
		return waited > 2 * DATE_RESOLUTION_MS && waited < MAX_INITIAL_WAIT_MS
			? waited - DATE_RESOLUTION_MS
			: 0;
	}
}
