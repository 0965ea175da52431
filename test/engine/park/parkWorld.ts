import type { IDataObject, INode, INodeParameters, ITaskData } from 'n8n-workflow';

import { useMemoryHttp } from './memoryHttp';
import { ParkHost } from './parkHost';
import type { Stored } from './parkHost';
import { ApprovalService, SERVICE } from './parkService';
import type { HostOptions } from './parkWorkflow';

/** A host and a service in virtual time, new for each test of a file. */
export interface ParkWorld {
	service: ApprovalService;
	host: ParkHost;
	/** Opens a workflow: a start node, a node that waits, nodes between, and one that records its input. */
	open: (
		parameters: INodeParameters,
		more?: Partial<INode> & HostOptions & { pause?: boolean; first?: Partial<INode> | false },
	) => ParkHost;
	/** Starts an execution and waits until it is parked. */
	start: (...questions: Array<string | IDataObject>) => Promise<Stored>;
	/** Lets time pass and fires the timers that become due. */
	pass: (ms: number) => Promise<void>;
	decide: (question: string, status?: string) => void;
	/** Number of requests that the service has sent to phones. */
	pushes: () => number;
	/** Input of the node after the waiting one: one entry per run. */
	passedOf: (id: string) => IDataObject[][] | undefined;
	/** Runs of the node that waits. */
	runsOf: (id: string) => ITaskData[];
}

/** Parameters of a node that sends the question of each item. */
export const sendAndWait = (more: object = {}): INodeParameters => ({
	resource: 'approvalRequest',
	operation: 'sendAndWait',
	twofactorId: '100002',
	message: '={{ $json.question }}',
	...more,
});

export function useWorld(): ParkWorld {
	const world = {
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
			world.host = new ParkHost(
				[
					...(first ? [{ name: 'Start', type: 'start', ...first }] : []),
					{ name: 'Ask', type: 'twoFactor', parameters, ...node },
					...(pause ? [{ name: 'Pause', type: 'pause' }] : []),
					{ name: 'Next', type: 'next' },
				],
				{ settings, resumeAfterMs, withoutExecutionId, otherTriggers },
			);
			return world.host;
		},
		start: async (...questions) => {
			const items = questions.map((one) => (typeof one === 'string' ? { question: one } : one));
			const started = world.host.start(items);
			const hasSettled = new AbortController();
			void started.finally(() => hasSettled.abort());
			while (!hasSettled.signal.aborted) await world.pass(100);
			return await started;
		},
		pass: async (ms) => {
			await jest.advanceTimersByTimeAsync(ms);
		},
		decide: (question, status = 'approved') =>
			world.service.decide(world.service.uuidOf(question), status),
		pushes: () => world.service.approvals.size,
		passedOf: (id) => world.host.nextInputs.get(id),
		runsOf: (id) => world.host.executions.get(id)!.run!.data.resultData.runData.Ask ?? [],
	} as ParkWorld;
	useMemoryHttp(async (options) =>
		options.url.startsWith(SERVICE)
			? await world.service.respond(options)
			: await world.host.respond(options),
	);
	beforeAll(() => {
		jest.useFakeTimers({
			doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'hrtime'],
		});
	});
	beforeEach(() => {
		world.service = new ApprovalService();
	});
	afterEach(() => {
		(world.host as ParkHost | undefined)?.packProcess.kill();
		(world.host as ParkHost | undefined)?.close();
		jest.clearAllTimers();
	});
	afterAll(() => {
		jest.useRealTimers();
	});
	return world;
}
