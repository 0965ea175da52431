import type { IDataObject, INode, INodeParameters, ITaskData } from 'n8n-workflow';

import { useMemoryHttp } from './memoryHttp';
import { ParkHost } from './parkHost';
import { ApprovalService, SERVICE } from './parkService';
import type { StoredExecution } from './parkWorkflow';
import type { HostOptions } from './parkWorkflow';

/** ID of the first execution that a host starts. */
export const FIRST_EXECUTION_ID = '1';

/** A host and a service in virtual time, new for each test of a file. */
export interface ParkRig {
	service: ApprovalService;
	host: ParkHost;
	/**
	 * Opens a workflow: a start node (unless `firstNode` is false), the waiting node Ask with these parameters, the Wait node if
	 * `withWaitNode` is set, and a node that records its input.
	 */
	open: (
		parameters: INodeParameters,
		options?: Partial<INode> &
			HostOptions & { withWaitNode?: boolean; firstNode?: Partial<INode> | false },
	) => ParkHost;
	/** Starts an execution with one item per question. Resolves when the execution is parked or has ended. */
	start: (...questions: Array<string | IDataObject>) => Promise<StoredExecution>;
	/** Lets time pass and fires the timers that become due. */
	advanceTime: (ms: number) => Promise<void>;
	/** Sets the status of the request with this question, by default to approved. */
	decide: (question: string, status?: string) => void;
	/** Returns the number of requests that the service has sent to phones. */
	countApprovalRequests: () => number;
	/** Returns the input of the node after the waiting one: one entry per run. */
	readNextInputs: (executionId: string) => IDataObject[][] | undefined;
	/** Returns the runs of the node that waits. */
	readRuns: (executionId: string) => ITaskData[];
}

/** Parameters of a node that sends the question of each item. */
export const sendAndWait = (overrides: object = {}): INodeParameters => ({
	resource: 'approvalRequest',
	operation: 'sendAndWait',
	twofactorId: '100002',
	message: '={{ $json.question }}',
	outputs: 'one',
	...overrides,
});

/** Sets up the rig for all tests of a file. The timers of the file are fake. */
export function useParkRig(): ParkRig {
	const rig = {
		open: (
			parameters,
			{
				settings,
				resumeAfterMs,
				withoutExecutionId,
				otherTriggers,
				withWaitNode = false,
				firstNode = {},
				...node
			} = {},
		) => {
			rig.host = new ParkHost(
				[
					...(firstNode ? [{ name: 'Start', type: 'start', ...firstNode }] : []),
					{ name: 'Ask', type: 'twoFactor', parameters, ...node },
					...(withWaitNode ? [{ name: 'Pause', type: 'pause' }] : []),
					{ name: 'Next', type: 'next' },
				],
				{ settings, resumeAfterMs, withoutExecutionId, otherTriggers },
			);
			return rig.host;
		},
		start: async (...questions) => {
			const items = questions.map((question) =>
				typeof question === 'string' ? { question } : question,
			);
			const started = rig.host.start(items);
			const hasSettled = new AbortController();
			void started.finally(() => hasSettled.abort());
			while (!hasSettled.signal.aborted) await rig.advanceTime(100);
			return await started;
		},
		advanceTime: async (ms) => {
			await jest.advanceTimersByTimeAsync(ms);
		},
		decide: (question, status = 'approved') =>
			rig.service.decide(rig.service.findUuid(question), status),
		countApprovalRequests: () => rig.service.approvals.size,
		readNextInputs: (executionId) => rig.host.nextInputs.get(executionId),
		readRuns: (executionId) =>
			rig.host.executions.get(executionId)!.run!.data.resultData.runData.Ask ?? [],
	} as ParkRig;
	useMemoryHttp(async (options) =>
		options.url.startsWith(SERVICE)
			? await rig.service.respond(options)
			: await rig.host.respond(options),
	);
	beforeAll(() => {
		jest.useFakeTimers({
			doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'hrtime'],
		});
	});
	beforeEach(() => {
		rig.service = new ApprovalService();
	});
	afterEach(() => {
		(rig.host as ParkHost | undefined)?.packProcess.kill();
		(rig.host as ParkHost | undefined)?.stopTimers();
		jest.clearAllTimers();
	});
	afterAll(() => {
		jest.useRealTimers();
	});
	return rig;
}
