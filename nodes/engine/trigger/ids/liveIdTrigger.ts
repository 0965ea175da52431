import type { IDataObject } from 'n8n-workflow';

import { keysOf } from '../../http/signature';
import type { SubmissionKeys } from '../../http/signature';
import { sleep } from '../../sleep';
import { readSnapshot, Watcher } from '../../watch';
import type { EndedId, WatcherStop, PollResult } from '../../watch';
import { LiveTrigger } from '../common/liveTrigger';
import { nothingToWatchError } from '../common/messages';
import type { RegisteredIdTrigger } from '../common/registry';
import { OLD_AFTER_MS } from '../common/startFrom';
import { createIdPoller } from './idPoller';
import type { IdTriggerSetup } from './idTriggerSetup';
import { itemOf } from './item';
import { mergeSnapshots } from './mergeSnapshots';
import { showReport } from './showReport';
import { readStoredIds, toStoredIds } from './storedIds';

/** A trigger of a published workflow: watches entered, saved and submitted IDs until n8n closes it. */
export class LiveIdTrigger extends LiveTrigger implements RegisteredIdTrigger {
	readonly watcher: Watcher;

	/** Restores the saved state and the state of the previous trigger in this process. */
	constructor(private readonly setup: IdTriggerSetup) {
		super(setup);
		const { settings } = setup;
		const pollId = createIdPoller(setup, this.credentialRejections, this.stopController.signal);
		const now = Date.now();
		const onUnrecognized = this.unrecognizedState.add;
		const restore = (storedState: unknown) =>
			readSnapshot(readStoredIds(storedState, onUnrecognized), { onUnrecognized, now });
		this.watcher = new Watcher(
			{
				sleep,
				pollId: async (watched) => this.noteFirstResponse(await pollId(watched)),
				emit: async (endedId) => await this.startWorkflow(endedId),
				save: () => this.writeStaticData(),
				report: (report) => showReport(setup, this.credentialRejections, report),
			},
			{
				...settings.watcherOptions,
				// A trigger that stopped in this process proves that the state is not from a backup.
				...(!this.previous && { reportOlderThanMs: OLD_AFTER_MS }),
			},
			// After a restart of n8n only static data exists.
			mergeSnapshots(
				restore(this.previous?.storedState),
				restore(this.staticData[this.node.nodeId]),
			),
			settings.enteredIds,
		);
		const isEmpty = settings.enteredIds.length + this.watcher.snapshot().ids.length === 0;
		if (isEmpty && !settings.acceptNewIds) throw nothingToWatchError();
	}

	async keys(maxAgeMs?: number): Promise<SubmissionKeys | undefined> {
		const { definition, connection } = this.setup;
		const current = await connection.current(maxAgeMs);
		return current && keysOf(definition.service, current.credential);
	}

	storedState(): IDataObject {
		// Read again when n8n saves. n8n can save long after the assignment, when more IDs are already acknowledged.
		const read = () => this.watcher.snapshot();
		return toStoredIds(read, this.unrecognizedState.toSaved());
	}

	protected async run(signal: AbortSignal): Promise<WatcherStop> {
		return await this.watcher.run(signal);
	}

	protected get firstResponseWaitMs(): number | undefined {
		const { intervalMs = 0 } = this.setup.settings.watcherOptions;
		return this.watcher.watchedCount > 0 ? intervalMs : undefined;
	}

	/** With 'Start From Now', activation waits until all IDs were polled, so that n8n saves which are still outstanding. */
	private noteFirstResponse(pollResult: PollResult): PollResult {
		const { startFrom } = this.setup.settings.watcherOptions;
		const isWaiting = this.firstResponse.reportsFailure && startFrom !== undefined;
		const isIncomplete =
			isWaiting &&
			this.watcher
				.snapshot()
				.ids.some(({ end, followedFrom }) => !end && followedFrom !== startFrom);
		if (pollResult.kind !== 'credentialRejected' && !isIncomplete) this.firstResponse.arrive();
		return pollResult;
	}

	/** Starts the workflow, unless the user excluded this outcome. */
	private async startWorkflow(endedId: EndedId): Promise<void> {
		const { settings, definition } = this.setup;
		if (!settings.outcomes.has(endedId.outcome)) return;
		const { workflowId, nodeId } = this.node;
		const key = `${workflowId}:${nodeId}:${endedId.id}`;
		await this.startWorkflowOnce(key, [
			{ json: itemOf(endedId, definition.shape, settings.simplifies) },
		]);
	}
}
