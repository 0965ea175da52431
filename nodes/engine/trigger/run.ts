import { sleep } from 'n8n-workflow';
import type { IDataObject, IRun, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { toNodeError } from '../errors';
import { connect } from '../http/client';
import { QUIET_MS, Watcher } from '../watch';
import type { Added, Answer, Ended, NewId, Report, Snapshot, Stopped } from '../watch';
import { fromColumn, toColumn } from './column';
import { Inquirer } from './inquirer';
import { itemOf } from './item';
import { Line } from './line';
import { joined, placeOf, registry } from './registry';
import type { Place, Running } from './registry';
import { readSettings } from './settings';
import type { Settings } from './settings';
import { keysOf } from '../http/signature';
import type { Keys } from '../http/signature';
import type { Watchable } from './watchable';
import { nothingToWatch, refusal, tooOld, wordsFor } from './words';

/** How long the start of a trigger waits for the first answer, beyond one interval. */
const FIRST_ANSWER_MS = 3000;
/** What n8n's column for the key holds. */
const MAX_KEY_LENGTH = 255;
/** Where the key is among the arguments of `emit`. */
const KEY_POSITION = 3;

/** Starts a trigger: until n8n closes it, every id is polled until it has ended, and starts the workflow once. */
export async function watch(
	context: ITriggerFunctions,
	watchable: Watchable,
): Promise<ITriggerResponse> {
	try {
		requireKeys(context);
		const settings = readSettings(context, watchable);
		const told = registry.left(placeOf(context))?.refused === true;
		const line = await Line.open(async () => await connect(context, watchable.service), told);
		const trigger = new Trigger(context, watchable, settings, line);
		return context.getMode() === 'manual' ? trigger.test() : await trigger.live();
	} catch (error) {
		throw toNodeError(context.getNode(), error, undefined);
	}
}

/**
 * An older n8n takes the key that keeps a workflow from being started twice, and drops it without a word; or it lacks the way
 * to tell people of trouble. A test run starts once anyway.
 */
function requireKeys(context: ITriggerFunctions): void {
	if (context.getMode() === 'manual') return;
	const keepsKeys = context.emit.length > KEY_POSITION;
	if (!keepsKeys || typeof context.saveFailedExecution !== 'function') throw tooOld();
}

/** One trigger between its start and its end. */
class Trigger implements Running {
	private readonly place: Place;
	private readonly stop = new AbortController();
	private readonly heard = new AbortController();
	private readonly inquirer: Inquirer;
	private watcher!: Watcher;
	private ended: Promise<void> = Promise.resolve();
	private lastSave = -Infinity;
	/** Whether n8n knows that the credential is refused. */
	private told = false;
	private refusedAt = performance.now();
	/** Whether the credential was refused when the service was last heard of. */
	private refusing = false;
	/** Whoever shall hear of a refused credential instead of n8n. */
	private starter: ((error: Error) => void) | undefined;
	private successor: Running | undefined;

	constructor(
		private readonly context: ITriggerFunctions,
		private readonly watchable: Watchable,
		private readonly settings: Settings,
		private readonly line: Line,
	) {
		this.place = placeOf(context);
		this.inquirer = new Inquirer(watchable, line, settings.options, this.stop.signal);
	}

	/** Watches what is typed, what was saved and what is handed in, until n8n closes it. */
	async live(): Promise<ITriggerResponse> {
		const { context, settings, place } = this;
		const data = context.getWorkflowStaticData('global');
		const left = registry.left(place);
		const save = (snapshot: Snapshot) => {
			// n8n saves the whole column, and can give each trigger of a workflow a copy of its own.
			for (const [node, other] of registry.snapshots(place.workflow)) {
				data[node] = toColumn(other);
			}
			data[place.node] = toColumn(snapshot);
		};
		const saved = joined(left?.snapshot, fromColumn(data[place.node]));
		this.watcher = this.watcherOf(settings.typed, this.emit.bind(this), save, saved);
		const idle = settings.typed.length + this.watcher.snapshot().ids.length === 0;
		if (idle && !settings.acceptNewIds) throw nothingToWatch();
		this.told = left?.refused === true;
		registry.enter(place, this);
		this.begin();
		// Whoever switches a trigger on shall hear at once that the credential is refused.
		const attended = ['activate', 'create', 'update'].includes(context.getActivationMode());
		if (attended && !this.told) await this.firstAnswer();
		this.lastSave = performance.now();
		return { closeFunction: async () => await this.close() };
	}

	/** Shows the first end of the ids that are typed or were posted; nothing of it is kept. */
	test(): ITriggerResponse {
		const ids = [...registry.takeForTest(this.place), ...this.settings.typed];
		if (ids.length === 0) throw nothingToWatch();
		this.watcher = this.watcherOf(ids, async (ended) => {
			if (this.stop.signal.aborted) return;
			this.stop.abort();
			this.context.emit([[{ json: this.item(ended) }]]);
		});
		return {
			closeFunction: async () => await this.close(),
			// Only from here on can a test run take an item.
			manualTriggerFunction: async () => this.begin(),
		};
	}

	async keys(maxAgeMs?: number): Promise<Keys | undefined> {
		const connection = await this.line.current(maxAgeMs);
		return connection && keysOf(this.watchable.service, connection.credential);
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

	private watcherOf(
		typed: NewId[],
		emit: (ended: Ended) => Promise<unknown>,
		save?: (snapshot: Snapshot) => void,
		saved?: unknown,
	): Watcher {
		return new Watcher(
			{
				sleep,
				emit,
				save,
				report: (report) => this.report(report),
				fetch: async (watched) => this.judge(await this.inquirer.ask(watched)),
			},
			this.settings.watching,
			saved,
			typed,
		);
	}

	/**
	 * n8n gives a trigger up for good that is refused several times in a row, and runs the error workflow each time. So it is
	 * told once; from then on a refused credential is like a sick service: asked more and more rarely, and the trigger goes
	 * on as soon as it is mended.
	 */
	private judge(answer: Answer): Answer {
		const now = performance.now();
		this.refusing = answer.kind === 'refused';
		if (answer.kind === 'refused') {
			this.refusedAt = now;
			return this.told ? { kind: 'failed', message: answer.message } : answer;
		}
		if (now - this.refusedAt >= QUIET_MS) this.told = false;
		this.heard.abort();
		return answer;
	}

	private begin(): void {
		this.ended = this.watcher.run(this.stop.signal).then(
			(stopped) => this.end(stopped),
			(error: unknown) => this.end({}, error),
		);
	}

	private end({ refused }: Stopped, error?: unknown): void {
		const stopped = this.stop.signal.aborted;
		const tellN8n = !stopped && !this.starter;
		const snapshot = this.watcher.snapshot();
		registry.leave(this.place, this, { snapshot, refused: tellN8n && refused !== undefined });
		if (stopped) return;
		const reason = this.nodeError(refused === undefined ? error : refusal(refused));
		if (this.starter) this.starter(reason);
		else this.context.emitError(reason);
	}

	/** Waits for the first answer, and throws if it is that the credential is refused. */
	private async firstAnswer(): Promise<void> {
		if (this.watcher.watched === 0) return;
		let refused: Error | undefined;
		this.starter = (error) => {
			refused = error;
		};
		const { intervalMs = 0 } = this.settings.watching;
		const patience = sleep(intervalMs + FIRST_ANSWER_MS, this.heard.signal).catch(() => undefined);
		await Promise.race([this.ended, patience]);
		this.heard.abort();
		this.starter = undefined;
		if (refused) throw refused;
	}

	/** Starts the workflow, or not if this outcome starts none. Settles when n8n says whether it was started. */
	private async emit(ended: Ended): Promise<void> {
		const { context, place } = this;
		if (!this.settings.outcomes.has(ended.outcome)) return;
		const key = `${place.workflow}:${place.node}:${ended.id}`.slice(-MAX_KEY_LENGTH);
		await registry.start(key, async () => {
			const done = context.helpers.createDeferredPromise<IRun>();
			this.lastSave = performance.now();
			context.emit([[{ json: this.item(ended) }]], undefined, done, key);
			await done.promise.catch(unlessItRan);
		});
	}

	private item(ended: Ended): IDataObject {
		return itemOf(ended, this.watchable.idName);
	}

	/** Shows as one failed execution, and the trigger goes on. A test run fails with it, and is over. */
	private report(report: Report): void {
		const test = this.context.getMode() === 'manual';
		if (test && report.kind === 'overloaded') return;
		const refused = report.kind === 'sick' && this.refusing;
		const words = refused ? refusal(report.message) : wordsFor(report, this.settings);
		if (words) this.context.saveFailedExecution?.(this.nodeError(words));
		if (test) this.stop.abort();
	}

	private nodeError(failure: unknown) {
		return toNodeError(this.context.getNode(), failure, undefined, this.line.secrets);
	}
}

/** n8n rejects a run that was cancelled, ran out of time or left no trace, but run it did. */
function unlessItRan(error: unknown): void {
	const { name, constructor } = error as Error;
	if (!/Cancelled|ExecutionNotFound/.test(`${name} ${constructor?.name}`)) throw error;
}
