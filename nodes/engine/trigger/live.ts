import { sleep } from 'n8n-workflow';
import type { IRun, ITriggerResponse } from 'n8n-workflow';

import { keysOf } from '../http/signature';
import type { Keys } from '../http/signature';
import { Watcher } from '../watch';
import type { Added, Ended, NewId, Snapshot, Stopped, Verdict } from '../watch';
import { askerOf } from './asker';
import { fromColumn, toColumn } from './column';
import { FirstAnswer } from './firstAnswer';
import { itemOf } from './item';
import { isOfStartedRun } from './n8nErrors';
import { refusal, Refusals } from './refusals';
import { joined, registry, triggerNodeOf } from './registry';
import type { Running, TriggerNode } from './registry';
import { asNodeError, showReport } from './setup';
import type { Setup } from './setup';
import { nothingToWatch } from './words';

/** What n8n's column for the key holds. */
const MAX_KEY_LENGTH = 255;

/** A trigger of a published workflow: watches what is typed, what was saved and what is handed in, until n8n closes it. */
export class LiveTrigger implements Running {
	private readonly node: TriggerNode;
	private readonly stop = new AbortController();
	private readonly firstAnswer = new FirstAnswer();
	private readonly refusals: Refusals;
	private readonly watcher: Watcher;
	private ended: Promise<void> = Promise.resolve();
	private lastSave = -Infinity;
	private successor: Running | undefined;

	/** Goes on from what was saved, and from what the trigger before it knew. */
	constructor(private readonly setup: Setup) {
		const { context, settings, connection } = setup;
		this.node = triggerNodeOf(context);
		const left = registry.left(this.node);
		this.refusals = new Refusals(connection, left?.refused === true);
		const ask = askerOf(setup, this.refusals, this.stop.signal);
		const data = context.getWorkflowStaticData('global');
		const { workflow, node } = this.node;
		this.watcher = new Watcher(
			{
				sleep,
				fetch: async (watched) => this.noted(await ask(watched)),
				emit: async (ended) => await this.emit(ended),
				save: (snapshot) => {
					// n8n saves the whole column, and can give each trigger of a workflow a copy of its own.
					for (const [other, known] of registry.snapshots(workflow)) data[other] = toColumn(known);
					data[node] = toColumn(snapshot);
				},
				report: (report) => showReport(setup, this.refusals, report),
			},
			settings.watching,
			joined(left?.snapshot, fromColumn(data[node])),
			settings.typed,
		);
		const idle = settings.typed.length + this.watcher.snapshot().ids.length === 0;
		if (idle && !settings.acceptNewIds) throw nothingToWatch();
	}

	/** Begins to watch. Whoever switches it on hears at once if the credential is refused. */
	async start(): Promise<ITriggerResponse> {
		const { context, settings } = this.setup;
		registry.enter(this.node, this);
		this.ended = this.watcher.run(this.stop.signal).then(
			(stopped) => this.end(stopped),
			(error: unknown) => this.end({}, error),
		);
		const attended = ['activate', 'create', 'update'].includes(context.getActivationMode());
		if (attended && !this.refusals.known && this.watcher.watched > 0) {
			await this.firstAnswer.wait(this.ended, settings.watching.intervalMs ?? 0);
		}
		this.lastSave = performance.now();
		return { closeFunction: async () => await this.close() };
	}

	async keys(maxAgeMs?: number): Promise<Keys | undefined> {
		const { watchable, connection } = this.setup;
		const current = await connection.current(maxAgeMs);
		return current && keysOf(watchable.service, current.credential);
	}

	add(items: NewId[]): Added {
		return this.watcher.add(items);
	}

	snapshot(): Snapshot {
		return this.watcher.snapshot();
	}

	savedAt(): number {
		return this.lastSave;
	}

	replaced(by: Running): void {
		this.successor = by;
		this.stop.abort();
	}

	async close(): Promise<void> {
		this.stop.abort();
		await this.ended;
		// n8n may hold on to this one and not to the one that took its place.
		await this.successor?.close();
	}

	private noted(verdict: Verdict): Verdict {
		if (verdict.kind !== 'refused') this.firstAnswer.arrive();
		return verdict;
	}

	/** Starts the workflow, or not if this outcome starts none. Settles when n8n says whether it was started. */
	private async emit(ended: Ended): Promise<void> {
		const { context, settings, watchable } = this.setup;
		if (!settings.outcomes.has(ended.outcome)) return;
		const { workflow, node } = this.node;
		const key = `${workflow}:${node}:${ended.id}`.slice(-MAX_KEY_LENGTH);
		await registry.start(key, async () => {
			const done = context.helpers.createDeferredPromise<IRun>();
			this.lastSave = performance.now();
			context.emit([[{ json: itemOf(ended, watchable.idName) }]], undefined, done, key);
			await done.promise.catch(unlessItRan);
		});
	}

	private end({ refused }: Stopped, error?: unknown): void {
		const stopped = this.stop.signal.aborted;
		const tellsN8n = !stopped && !this.firstAnswer.isAwaited;
		const snapshot = this.watcher.snapshot();
		registry.leave(this.node, this, { snapshot, refused: tellsN8n && refused !== undefined });
		if (stopped) return;
		const failure = asNodeError(this.setup, refused === undefined ? error : refusal(refused));
		if (tellsN8n) this.setup.context.emitError(failure);
		else this.firstAnswer.fail(failure);
	}
}

function unlessItRan(error: unknown): void {
	if (!isOfStartedRun(error)) throw error;
}
