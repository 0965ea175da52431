import type { IDataObject, INode, INodeParameters, ITaskData } from 'n8n-workflow';

import { useMemoryHttp } from './memoryHttp';
import { ParkHost } from './parkHost';
import type { StoredExecution } from './parkHost';
import { ApprovalService, SERVICE } from './parkService';
import type { HostOptions } from './parkWorkflow';

/** A host and a service in virtual time, new for each test of a file. */
export interface ParkRig {
	service: ApprovalService;
	host: ParkHost;
	/** Opens a workflow: a start node, a node that waits, nodes between, and one that records its input. */
	open: (
		parameters: INodeParameters,
		options?: Partial<INode> & HostOptions & { pause?: boolean; first?: Partial<INode> | false },
	) => ParkHost;
	/** Starts an execution and waits until it is parked. */
	start: (...questions: Array<string | IDataObject>) => Promise<StoredExecution>;
	/** Lets time pass and fires the timers that become due. */
	advanceTime: (ms: number) => Promise<void>;
	decide: (question: string, status?: string) => void;
	/** Number of requests that the service has sent to phones. */
	countApprovals: () => number;
	/** Input of the node after the waiting one: one entry per run. */
	nextInputsOf: (id: string) => IDataObject[][] | undefined;
	/** Runs of the node that waits. */
	runsOf: (id: string) => ITaskData[];
}

/** Parameters of a node that sends the question of each item. */
export const sendAndWait = (overrides: object = {}): INodeParameters => ({
	resource: 'approvalRequest',
	operation: 'sendAndWait',
	twofactorId: '100002',
	message: '={{ $json.question }}',
	...overrides,
});

export function useParkRig(): ParkRig {
	const rig = {
		open: (
			parameters,
			{
				settings,
				resumeAfterMs,
				withoutExecutionId,
				otherTriggers,
				pause = false,
				first = {},
				...node
			} = {},
		) => {
			rig.host = new ParkHost(
				[
					...(first ? [{ name: 'Start', type: 'start', ...first }] : []),
					{ name: 'Ask', type: 'twoFactor', parameters, ...node },
					...(pause ? [{ name: 'Pause', type: 'pause' }] : []),
					{ name: 'Next', type: 'next' },
				],
				{ settings, resumeAfterMs, withoutExecutionId, otherTriggers },
			);
			return rig.host;
		},
		start: async (...questions) => {
			const items = questions.map((question) =>
				typeof question === 'string' ? { question: question } : question,
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
			rig.service.decide(rig.service.uuidOf(question), status),
		countApprovals: () => rig.service.approvals.size,
		nextInputsOf: (id) => rig.host.nextInputs.get(id),
		runsOf: (id) => rig.host.executions.get(id)!.run!.data.resultData.runData.Ask ?? [],
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
		(rig.host as ParkHost | undefined)?.close();
		jest.clearAllTimers();
	});
	afterAll(() => {
		jest.useRealTimers();
	});
	return rig;
}
