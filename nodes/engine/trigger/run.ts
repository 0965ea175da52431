import { sleep } from 'n8n-workflow';
import type { IDataObject, IRun, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { BadInput, ServiceFailure, toNodeError } from '../errors';
import { connect } from '../request';
import { Watcher } from '../watch';
import type { Added, Ended, NewId, Report, Snapshot, Stopped } from '../watch';
import { Inquirer } from './inquirer';
import { itemOf } from './item';
import { Line } from './line';
import { joined, placeOf, registry } from './registry';
import type { Place, Running } from './registry';
import { readSettings } from './settings';
import type { Settings } from './settings';
import type { Watchable } from './watchable';

/** How long the start of a trigger waits for the first answer, beyond one interval. */
const FIRST_ANSWER_MS = 3000;
/** What n8n's column for the key holds. */
const MAX_KEY_LENGTH = 255;

/** Starts a trigger: until n8n closes it, every id is polled until it has ended, and starts the workflow once. */
export async function watch(
	context: ITriggerFunctions,
	watchable: Watchable,
): Promise<ITriggerResponse> {
	try {
		const settings = readSettings(context, watchable);
		const line = await Line.open(async () => await connect(context, watchable.service));
		const trigger = new Trigger(context, watchable, settings, line);
		return context.getMode() === 'manual' ? trigger.test() : await trigger.live();
	} catch (error) {
		throw toNodeError(context.getNode(), error, undefined);
	}
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
	/** Where a refused credential goes: to n8n, or as long as the trigger starts to whoever starts it. */
	private refuse = (error: Error) => this.context.emitError(error);

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
			data[place.node] = snapshot as unknown as IDataObject;
		};
		const saved = joined(left?.snapshot, data[place.node]);
		this.watcher = this.watcherOf(settings.typed, this.emit.bind(this), save, saved);
		const idle = settings.typed.length + this.watcher.snapshot().ids.length === 0;
		if (idle && !settings.acceptNewIds) throw nothingToWatch();
		registry.enter(place, this);
		this.begin();
		// Whoever switches a trigger on shall hear at once that the credential is refused; and only if the start itself
		// fails does n8n wait longer and longer before it tries a refused one again.
		const attended = ['activate', 'create', 'update'].includes(context.getActivationMode());
		if (attended || left?.refused) await this.firstAnswer();
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

	secret(): string {
		return `${this.line.latest.credential.triggerSecret ?? ''}`;
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

	replaced(): void {
		this.stop.abort();
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
				fetch: async (watched) => {
					const answer = await this.inquirer.ask(watched);
					if (answer.kind !== 'refused') this.heard.abort();
					return answer;
				},
			},
			this.settings.watching,
			saved,
			typed,
		);
	}

	private begin(): void {
		this.ended = this.watcher.run(this.stop.signal).then(
			(stopped) => this.end(stopped),
			(error: unknown) => this.end({}, error),
		);
	}

	private end({ refused }: Stopped, error?: unknown): void {
		const snapshot = this.watcher.snapshot();
		registry.leave(this.place, this, { snapshot, refused: refused !== undefined });
		if (this.stop.signal.aborted) return;
		const reason = refused === undefined ? error : refusal(refused);
		this.refuse(this.nodeError(reason));
	}

	/** Waits for the first answer, and throws if it is that the credential is refused. */
	private async firstAnswer(): Promise<void> {
		if (this.watcher.watched === 0) return;
		let refused: Error | undefined;
		const { refuse } = this;
		this.refuse = (error) => {
			refused = error;
		};
		const { intervalMs = 0 } = this.settings.watching;
		const patience = sleep(intervalMs + FIRST_ANSWER_MS, this.heard.signal).catch(() => undefined);
		await Promise.race([this.ended, patience]);
		this.heard.abort();
		this.refuse = refuse;
		if (refused) throw refused;
	}

	private async close(): Promise<void> {
		this.stop.abort();
		await this.ended;
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
			return await done.promise;
		});
	}

	private item(ended: Ended): IDataObject {
		return itemOf(ended, this.watchable.idName, this.inquirer.takeProblem(ended.id));
	}

	/** Shows as one failed execution, and the trigger goes on. A test run fails with it, and is over. */
	private report(report: Report): void {
		const test = this.context.getMode() === 'manual';
		if (test && report.kind === 'overloaded') return;
		const failure =
			report.kind === 'sick' ? sickness(report.message) : overload(report, this.settings);
		this.context.saveFailedExecution(this.nodeError(failure));
		if (test) this.stop.abort();
	}

	private nodeError(failure: unknown) {
		return toNodeError(this.context.getNode(), failure, undefined, this.line.latest.secrets);
	}
}

const nothingToWatch = () =>
	new BadInput(
		'There is no ID to watch',
		'Type an ID into the node, or switch on Accept New IDs by Webhook and post one to the webhook URL.',
	);

const refusal = (message: string) =>
	new ServiceFailure(message, {
		advice:
			'Check the credential. Once it works, the trigger goes on where it was: no ID is lost. n8n tries by itself from time to time; deactivate and activate the workflow to try at once.',
	});

const sickness = (message: string) =>
	new ServiceFailure(message, {
		advice:
			'The trigger goes on and asks ever more slowly, about once a minute, until the service is well again. No ID is lost. This is recorded once, not for every failed request.',
	});

const overload = (
	{ watched, lateByMs }: Extract<Report, { kind: 'overloaded' }>,
	{ watching: { intervalMs = 0 } }: Settings,
) =>
	new BadInput(
		`The trigger watches ${watched} IDs, more than it can look at every ${intervalMs / 1000} seconds`,
		`Each is looked at about ${Math.ceil(lateByMs / 1000)} seconds late, and none is left out. Raise Requests at a Time or Check Every in the options. This is recorded once.`,
	);
