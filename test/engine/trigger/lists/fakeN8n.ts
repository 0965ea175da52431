import type { IDataObject } from 'n8n-workflow';

import type { WorkflowStart } from '../../../../nodes/engine/trigger/lists/core';
import type { VirtualTime } from '../support/virtualTime';
import type { FollowHistory } from './listHistory';

/** One change for which an execution was started. */
export interface StartedChange {
	key: string;
	id: string;
	kind: string;
	record: IDataObject;
	at: number;
}

/** One activation of the trigger. */
export interface Activation {
	/** Returns the static data as it is when n8n writes it. */
	column: () => string;
	/** Whether the static data has changed since n8n last wrote it. */
	changed: boolean;
	killed: boolean;
}

/**
 * n8n with a database. It writes static data and creates executions concurrently, stores each deduplication key once, and
 * loses unwritten data when it is killed.
 */
export class FakeN8n {
	database = '{}';
	/** Static data at the last activation of the trigger. */
	activatedWith = '{}';
	readonly startedChanges: StartedChange[] = [];
	/** Records for which an execution was created although the static data that records it was never written. */
	readonly unsaved = new Set<string>();
	/** Keys of all requested starts. */
	readonly requestedKeys = new Set<string>();
	unconfirmed = 0;
	private readonly keys = new Set<string>();
	private underWay = new Map<string, Promise<unknown>>();
	private running: Array<() => void> = [];
	private writes: Array<() => void> = [];
	private writtenUntil = 0;
	/** Whether the last write failed, and the records whose starts were requested since the last successful one. */
	private failed = false;
	private recent: string[] = [];

	constructor(
		private readonly time: VirtualTime,
		private readonly history: FollowHistory,
		private readonly random: () => number,
	) {}

	/** Writes static data after an activation. */
	activated(activation: Activation): void {
		activation.changed = false;
		this.database = activation.column();
		this.activatedWith = this.database;
	}

	async emit(activation: Activation, start: WorkflowStart): Promise<unknown> {
		this.requestedKeys.add(start.key);
		this.recent.push(...start.changes.map(({ id }) => id));
		if (activation.changed) {
			activation.changed = false;
			this.write(activation.column());
		}
		const underWay = this.underWay.get(start.key);
		if (underWay) return await underWay;
		const run = this.start(activation, start);
		this.underWay.set(start.key, run);
		return await run.finally(() => this.underWay.delete(start.key));
	}

	/** Kills n8n: pending writes are lost, and starts are never confirmed. */
	kill(activation: Activation): void {
		activation.killed = true;
		if (this.writes.length > 0 || this.failed) for (const id of this.recent) this.unsaved.add(id);
		this.writes = [];
		this.recent = [];
		this.running = [];
		this.underWay = new Map();
		this.unconfirmed = 0;
		this.writtenUntil = this.time.at;
	}

	/** Finishes all running executions. */
	finishAll(): void {
		for (const finish of this.running.splice(0)) finish();
	}

	private async start(activation: Activation, { key, changes }: WorkflowStart): Promise<unknown> {
		await this.time.sleep(this.random() * 30);
		if (activation.killed && this.random() < 0.5) return await new Promise(() => undefined);
		if (this.random() * 100 < this.history.rejectedStartsPercent) throw new Error('not started');
		if (this.keys.has(key)) return undefined;
		this.keys.add(key);
		for (const { id, kind, record } of changes) {
			this.startedChanges.push({ key, id, kind, record, at: this.time.at });
		}
		if (activation.killed) return await new Promise(() => undefined);
		const isLong = this.random() * 100 < this.history.longRunsPercent;
		await new Promise<void>((resolve) => {
			this.running.push(resolve);
			this.time.after(this.random() * (isLong ? 3_600_000 : 3000), resolve);
		});
		if (!this.history.keepsKeys) this.keys.delete(key);
		return 'a run';
	}

	/** Writes after a delay, in the order of the calls. */
	private write(column: string): void {
		this.writtenUntil = Math.max(
			this.time.at + this.random() * this.history.maxWriteMs,
			this.writtenUntil,
		);
		const perform = () => {
			this.database = column;
		};
		const { recent } = this;
		this.writes.push(perform);
		this.time.after(this.writtenUntil - this.time.at, () => {
			const index = this.writes.indexOf(perform);
			if (index < 0) return;
			this.writes.splice(index, 1);
			this.failed = this.random() * 100 < this.history.failedWritesPercent;
			if (this.failed) return;
			if (this.writes.length === 0 && this.recent === recent) this.recent = [];
			perform();
		});
	}
}
