import type { Clock } from '../../ids/core';
import type { SavedStart, ListSnapshot, SavedSource } from './saved';
import { TrackedList } from './trackedList';
import type { FollowOptions, Source } from './types';

/** How many lists that are not followed any more are remembered, in case they come back. */
const MOST_ABSENT = 100;
/** A trigger that waited for its service longer than this begins when the service is back. */
const LONGEST_BEGINNING_MS = 7 * 24 * 3_600_000;

/** The date of an answer is the beginning of its second: by so much less has it been waiting for sure. */
const DATE_GRAIN_MS = 1000;

/** Which lists are followed, and which were before. */
export class TrackedLists<Followed extends Source> {
	private readonly tracked = new Map<string, TrackedList<Followed>>();
	/** Those that were followed in this life, and those of earlier ones. */
	private readonly away = new Map<string, TrackedList<Followed>>();
	private readonly absent: Map<string, SavedSource>;
	private readonly asked: SavedStart[];
	/** When the trigger was first switched on, by our clock. */
	private readonly began: number;
	/** How long ago that was when this life began, and when that was by the monotonic clock. */
	private readonly waitedBefore: number;
	private readonly openedAt: number;
	/** Whether an earlier life has read anything. */
	private readonly hasBegun: boolean;
	/** When the last round began, by the service's clock: of this life, and of earlier ones by the kind of what was found then. */
	private lastRound: number | undefined;
	private readonly lastRounds = new Map<string, number>();
	/** Whether it is known yet what is still followed of what was saved. */
	private isArranged = false;

	constructor(
		private readonly options: FollowOptions,
		private readonly clock: Clock,
		saved?: ListSnapshot,
	) {
		this.began = saved?.began ?? clock.now();
		this.waitedBefore = clock.now() - this.began;
		this.openedAt = clock.monotonic();
		this.asked = saved?.asked ?? [];
		this.absent = new Map(saved?.sources.map((source) => [source.key, source]));
		for (const { cursor, found } of this.absent.values()) {
			if (cursor === undefined || found === undefined) continue;
			this.lastRounds.set(found, Math.max(cursor, this.lastRounds.get(found) ?? -Infinity));
		}
		this.hasBegun = [...this.absent.values()].some(({ cursor }) => cursor !== undefined);
	}

	/** The lists that are followed now. */
	get all(): Array<TrackedList<Followed>> {
		return [...this.tracked.values()];
	}

	/** The same, those first that were not looked at for longest: one that the service breaks off at holds up no other. */
	get inTurn(): Array<TrackedList<Followed>> {
		return this.all.sort((a, b) => a.readAt - b.readAt);
	}

	/** Whether a list was read to its end in this life. */
	readonly isRead = (key: string): boolean => this.tracked.get(key)?.isRead === true;

	/** Follows what there is now. A list that was found since the last round counts from that round on, one that was chosen from now. */
	arrange(sources: Followed[], serviceNow: number | undefined): void {
		const before = new Map(this.tracked);
		this.tracked.clear();
		this.isArranged = true;
		for (const source of sources) {
			const { key } = source;
			const tracked = before.get(key) ?? this.takeUp(source);
			tracked.source = source;
			if (serviceNow !== undefined) this.begin(tracked, serviceNow);
			this.tracked.set(key, tracked);
			before.delete(key);
		}
		for (const [key, tracked] of before) this.away.set(key, tracked);
	}

	/** Says what time it is at the service, for a list that has not begun. */
	begin(tracked: TrackedList<Followed>, serviceNow: number): void {
		tracked.begin(serviceNow - this.waitedMs());
	}

	/** Notes that a round is over that began at a time of the service. */
	roundOver(began: number | undefined): void {
		this.lastRound = began ?? this.lastRound;
	}

	toSaved(): Pick<ListSnapshot, 'began' | 'sources'> {
		return {
			began: this.began,
			sources: [
				...[...this.absent.values()].slice(this.isArranged ? -MOST_ABSENT : 0),
				...[...this.away.values()].slice(-MOST_ABSENT).map((tracked) => tracked.toSaved()),
				...this.all.map((tracked) => tracked.toSaved()),
			],
		};
	}

	private takeUp(source: Followed): TrackedList<Followed> {
		const { key } = source;
		const away = this.away.get(key);
		this.away.delete(key);
		if (away) return away;
		const saved = this.absent.get(key);
		this.absent.delete(key);
		const tracked = new TrackedList(source, this.options, saved, this.asked);
		const { found } = source;
		const lastRound = found && (this.lastRound ?? this.lastRounds.get(found));
		if (!saved && typeof lastRound === 'number' && Number.isFinite(lastRound)) {
			if (source.filtered) tracked.beginAt(lastRound);
			else tracked.begin(lastRound);
		}
		return tracked;
	}

	/** For how long it has been waiting for its service to answer for the first time. */
	private waitedMs(): number {
		if (this.hasBegun || this.lastRound !== undefined) return 0;
		const waited = this.waitedBefore + this.clock.monotonic() - this.openedAt;
		return waited > 2 * DATE_GRAIN_MS && waited < LONGEST_BEGINNING_MS ? waited - DATE_GRAIN_MS : 0;
	}
}
