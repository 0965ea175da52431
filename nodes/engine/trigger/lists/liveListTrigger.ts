import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../../errors';
import { serializedOnSave } from '../../n8n/staticData';
import { sleep } from '../../sleep';
import { LiveTrigger } from '../common/liveTrigger';
import { choiceNotFoundError, errorForListReport, listNotReadableError } from '../common/messages';
import { saveAsFailedExecution, toReportError } from '../common/reportErrors';
import { OLD_AFTER_MS } from '../common/startFrom';
import { Follower, newerSnapshot, readStoredSnapshot, toStoredSnapshot } from './core';
import type { FollowerStop, ListReadResult, ListReport, WorkflowStart } from './core';
import type { FollowedList } from './listTriggerDefinition';
import type { ListTriggerSetup } from './listTriggerSetup';
import { discoverLists, readList } from './reader';

/** Results that fail the activation, since retrying does not help. */
const PERMANENT_FAILURES: ReadonlySet<ListReadResult['kind']> = new Set(['missing', 'failed']);
/** How long an activation waits for the first round; `FirstResponse` adds three seconds. */
const FIRST_RESPONSE_WAIT_MS = 10_000;

/** Trigger of a published workflow: follows lists of the service until n8n closes it. */
export class LiveListTrigger extends LiveTrigger {
	private readonly follower: Follower<FollowedList>;
	private readonly isFirstStart: boolean;
	/** Whether the last discovery failed because of the user's choice, such as a name that no record has. */
	private isChoiceNotFound = false;

	/**
	 * Resumes from the newer of two snapshots: the one in static data, or the one that this process's previous trigger left.
	 */
	constructor(private readonly setup: ListTriggerSetup) {
		super(setup);
		const { plan, followerOptions } = setup;
		const { workflowId, nodeId } = this.node;
		const onUnrecognized = this.unrecognizedState.add;
		const snapshot = newerSnapshot(
			readStoredSnapshot(this.previous?.storedState, onUnrecognized),
			readStoredSnapshot(this.staticData[nodeId], onUnrecognized),
		);
		plan.names?.restore(snapshot?.names);
		this.follower = new Follower<FollowedList>(
			{
				sleep,
				discoverLists: async (signal) => {
					const result = await this.credentialRejections.pollWithCurrentCredential(
						async (connection) => await discoverLists(connection, plan, signal),
					);
					const failure = 'failure' in result ? result.failure : undefined;
					this.isChoiceNotFound = failure instanceof BadInput;
					if ('kind' in result) this.failActivationIfPermanent(result);
					return result;
				},
				readList: async (list, since, onPage, signal) =>
					this.failActivationIfPermanent(
						await this.credentialRejections.pollWithCurrentCredential(
							async (connection) => await readList(connection, list, since, onPage, signal),
						),
						list,
					),
				emit: async (start) => await this.startWorkflow(start),
				save: () => this.writeStaticData(),
				report: (report) => this.showReport(report),
				// Even if the round has failed, the saved state says since when the trigger follows the lists.
				onRoundEnd: () => this.firstResponse.arrive(),
			},
			{
				...followerOptions,
				kinds: plan.kinds,
				startKeyPrefix: `${workflowId}:${nodeId}`,
				// A trigger that stopped in this process proves that the state is not from a backup.
				...(!this.previous && { reportOlderThanMs: OLD_AFTER_MS }),
			},
			snapshot,
		);
		this.isFirstStart = snapshot === undefined;
	}

	/**
	 * Returns the state for static data. The state is serialized only when n8n saves it, which is far less often than it
	 * changes.
	 */
	storedState(): IDataObject {
		const toJSON = () => ({
			...toStoredSnapshot({
				...this.follower.snapshot(),
				names: this.setup.plan.names?.toSaved(),
			}),
			...this.unrecognizedState.toSaved(),
		});
		return serializedOnSave({ version: 1 }, toJSON);
	}

	protected async run(signal: AbortSignal): Promise<FollowerStop> {
		return await this.follower.run(signal);
	}

	protected get firstResponseWaitMs(): number {
		return FIRST_RESPONSE_WAIT_MS;
	}

	/**
	 * The first activation must save where every list begins. If n8n were killed before that save, the trigger would begin
	 * anew and miss the changes in between.
	 */
	protected override get needsFirstResponse(): boolean {
		return this.isFirstStart;
	}

	/** With 'Start From Now', n8n must save which changes are ignored, so that those after a crash are not. */
	protected override get waitsForFirstRound(): boolean {
		return this.isFirstStart || this.setup.followerOptions.startFrom !== undefined;
	}

	/** Fails an activation that waits for the first round, if the result is permanent. Returns the result. */
	private failActivationIfPermanent<Result extends ListReadResult>(
		result: Result,
		list?: FollowedList,
	): Result {
		if (!this.firstResponse.reportsFailure) return result;
		// A discovered list is one of several: its failure must not prevent following the others.
		if (PERMANENT_FAILURES.has(result.kind) && list?.discoveredAs === undefined) {
			const message = 'message' in result ? (result.message ?? '') : '';
			const isGone = result.kind === 'missing';
			this.firstResponse.fail(listNotReadableError({ list, isGone, message }));
			this.stopController.abort();
		}
		return result;
	}

	private showReport(report: ListReport): void {
		const { service } = this.setup.definition;
		const errorFor = () => this.errorFor(report);
		const error = toReportError(report, this.credentialRejections, service, errorFor);
		if (this.firstResponse.reportsFailure && report.kind === 'tooManyRecords') {
			this.firstResponse.fail(error);
			this.stopController.abort();
		} else saveAsFailedExecution(this.setup, error);
	}

	private errorFor(report: ListReport): Error {
		if (report.kind === 'unavailable' && this.isChoiceNotFound)
			return choiceNotFoundError(report.message);
		return errorForListReport(report, this.setup);
	}

	private async startWorkflow({ key, changes }: WorkflowStart<FollowedList>): Promise<void> {
		await this.startWorkflowOnce(
			key,
			changes.map(({ list, kind, record }) => ({ json: list.buildItem({ kind, record }) })),
		);
	}
}
