import type { IDataObject } from 'n8n-workflow';

import type { WorkflowStart } from '../../../../nodes/engine/trigger/lists/core';
import type { VirtualTime } from '../support/virtualTime';
import type { FollowHistory } from './listHistory';

const LONGEST_LONG_RUN_MS = 3_600_000;
const LONGEST_SHORT_RUN_MS = 3000;

const neverSettle = async () => await new Promise<never>(() => undefined);

/** One change for which an execution was started. */
export interface StartedChange {
	key: string;
	id: string;
	kind: string;
	record: IDataObject;
	startedAtMs: number;
}

/** One activation of the trigger. */
export interface Activation {
	/** Returns the static data as it is when n8n writes it. */
	readStaticData: () => string;
	/** Whether the static data has changed since n8n last wrote it. */
	isChanged: boolean;
	isKilled: boolean;
}

/**
 * n8n with a database. It writes static data and creates executions concurrently, stores each deduplication key once, and
 * loses unwritten data when it is killed.
 */
export class FakeN8n {
	staticData = '{}';
	/** Static data at the last activation of the trigger. */
	staticDataAtActivation = '{}';
	readonly startedChanges: StartedChange[] = [];
	/** Records for which an execution was created although the static data that records it was never written. */
	readonly unsavedRecordIds = new Set<string>();
	/** Keys of all requested starts. */
	readonly requestedKeys = new Set<string>();
	/** The deduplication keys that n8n has stored. */
	private readonly storedKeys = new Set<string>();
	private pendingStarts = new Map<string, Promise<unknown>>();
	/** Callbacks that end the running executions. */
	private finishCallbacks: Array<() => void> = [];
	private pendingWrites: Array<() => void> = [];
	/** When the last of the pending writes ends. */
	private writesEndAtMs = 0;
	private hasLastWriteFailed = false;
	/** The records whose starts were requested since the last successful write. */
	private unsavedStartIds: string[] = [];

	constructor(
		private readonly time: VirtualTime,
		private readonly history: FollowHistory,
		private readonly random: () => number,
	) {}

	/** Writes static data after an activation. */
	saveActivation(activation: Activation): void {
		activation.isChanged = false;
		this.staticData = activation.readStaticData();
		this.staticDataAtActivation = this.staticData;
	}

	/** Does as n8n does with a requested start: writes changed static data, and starts each key once. */
	async emit(activation: Activation, start: WorkflowStart): Promise<unknown> {
		this.requestedKeys.add(start.key);
		this.unsavedStartIds.push(...start.changes.map(({ id }) => id));
		if (activation.isChanged) {
			activation.isChanged = false;
			this.write(activation.readStaticData());
		}
		const pendingStart = this.pendingStarts.get(start.key);
		if (pendingStart) return await pendingStart;
		const newStart = this.runExecution(activation, start);
		this.pendingStarts.set(start.key, newStart);
		return await newStart.finally(() => this.pendingStarts.delete(start.key));
	}

	/** Kills n8n: pending writes are lost, and starts are never confirmed. */
	kill(activation: Activation): void {
		activation.isKilled = true;
		if (this.pendingWrites.length > 0 || this.hasLastWriteFailed)
			for (const id of this.unsavedStartIds) this.unsavedRecordIds.add(id);
		this.pendingWrites = [];
		this.unsavedStartIds = [];
		this.finishCallbacks = [];
		this.pendingStarts = new Map();
		this.writesEndAtMs = this.time.nowMs;
	}

	/** Finishes all running executions. */
	finishExecutions(): void {
		for (const finish of this.finishCallbacks.splice(0)) finish();
	}

	/** Creates an execution and waits for its end. If n8n is killed meanwhile, at times the execution exists already. */
	private async runExecution(
		activation: Activation,
		{ key, changes }: WorkflowStart,
	): Promise<unknown> {
		await this.time.sleep(this.random() * 30);
		if (activation.isKilled && this.random() < 0.5) return await neverSettle();
		if (this.random() * 100 < this.history.rejectedStartsPercent) throw new Error('not started');
		if (this.storedKeys.has(key)) return undefined;
		this.storedKeys.add(key);
		for (const { id, kind, record } of changes) {
			this.startedChanges.push({ key, id, kind, record, startedAtMs: this.time.nowMs });
		}
		if (activation.isKilled) return await neverSettle();
		const isLongRun = this.random() * 100 < this.history.longRunsPercent;
		await new Promise<void>((resolve) => {
			this.finishCallbacks.push(resolve);
			this.time.schedule(
				this.random() * (isLongRun ? LONGEST_LONG_RUN_MS : LONGEST_SHORT_RUN_MS),
				resolve,
			);
		});
		if (!this.history.keepsKeys) this.storedKeys.delete(key);
		return 'a run';
	}

	/** Writes after a delay, in the order of the calls. */
	private write(staticData: string): void {
		this.writesEndAtMs = Math.max(
			this.time.nowMs + this.random() * this.history.maxWriteMs,
			this.writesEndAtMs,
		);
		const writeNow = () => {
			this.staticData = staticData;
		};
		const { unsavedStartIds } = this;
		this.pendingWrites.push(writeNow);
		this.time.schedule(this.writesEndAtMs - this.time.nowMs, () => {
			const index = this.pendingWrites.indexOf(writeNow);
			if (index < 0) return;
			this.pendingWrites.splice(index, 1);
			this.hasLastWriteFailed = this.random() * 100 < this.history.failedWritesPercent;
			if (this.hasLastWriteFailed) return;
			if (this.pendingWrites.length === 0 && this.unsavedStartIds === unsavedStartIds)
				this.unsavedStartIds = [];
			writeNow();
		});
	}
}
