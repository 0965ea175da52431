import type { IDataObject, INode, INodeParameters, ITaskData } from 'n8n-workflow';

import { useMemoryHttp } from './memoryHttp';
import { Host } from './parkHost';
import type { Stored } from './parkHost';
import { ApprovalService, SERVICE } from './parkService';
import type { HostOptions } from './parkWorkflow';

/** A host and a service in virtual time, new for each test of a file. */
export interface World {
	service: ApprovalService;
	host: Host;
	/** Opens a workflow: a start node, a node that waits, nodes between, and one that records its input. */
	open: (
		parameters: INodeParameters,
		more?: Partial<INode> & HostOptions & { pause?: boolean; first?: Partial<INode> | false },
	) => Host;
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

export function useWorld(): World {
	const world = {
		open: (
			parameters,
			{ settings, lookAgainMs, nameless, others, pause = false, first = {}, ...node } = {},
		) => {
			world.host = new Host(
				[
					...(first ? [{ name: 'Start', type: 'start', ...first }] : []),
					{ name: 'Ask', type: 'twoFactor', parameters, ...node },
					...(pause ? [{ name: 'Pause', type: 'pause' }] : []),
					{ name: 'Next', type: 'next' },
				],
				{ settings, lookAgainMs, nameless, others },
			);
			return world.host;
		},
		start: async (...questions) => {
			const items = questions.map((one) => (typeof one === 'string' ? { question: one } : one));
			const started = world.host.start(items);
			const resting = new AbortController();
			void started.finally(() => resting.abort());
			while (!resting.signal.aborted) await world.pass(100);
			return await started;
		},
		pass: async (ms) => {
			await jest.advanceTimersByTimeAsync(ms);
		},
		decide: (question, status = 'approved') =>
			world.service.decide(world.service.uuidOf(question), status),
		pushes: () => world.service.approvals.size,
		passedOf: (id) => world.host.passed.get(id),
		runsOf: (id) => world.host.executions.get(id)!.run!.data.resultData.runData.Ask ?? [],
	} as World;
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
		(world.host as Host | undefined)?.life.die();
		(world.host as Host | undefined)?.close();
		jest.clearAllTimers();
	});
	afterAll(() => {
		jest.useRealTimers();
	});
	return world;
}
