// Protects workflows from double starts: n8n accepts the deduplication key of a trigger, and reports the end of the run.
import type { ITriggerFunctions } from 'n8n-workflow';

import { canDeduplicate, emitOnce } from '../../../nodes/engine/n8n/emit';
import { runInN8n, itWithN8n } from './installed';

/** Compiles as long as the type of `emit` has the key for its fourth parameter. */
const readKey = (...args: Parameters<ITriggerFunctions['emit']>): string | undefined => args[3];

itWithN8n(
	"n8n's emit declares the deduplication key, passes it to the execution and settles the promise",
	async () => {
		const { parameters, started, settled } = runInN8n(`
		const { TriggerExecutionContextFactory: Factory } = load('./dist/workflows/triggers/trigger-execution-context.factory.js');
		const started = [];
		const self = {
			logger: { debug() {}, warn() {}, info() {}, error() {} },
			workflowStaticDataService: { saveStaticData: async () => undefined },
			engineV2ActiveTriggers: { handles: () => false },
			workflowExecutionService: { runWorkflow: async (...args) => { started.push(args.at(-1)); return 'execution-1'; } },
			activeExecutions: { getPostExecutePromise: async () => ({ finished: true }) },
			scheduleTriggerJobRegistrar: { interceptsNode: () => false },
			ownershipService: {},
			eventService: { emit() {} },
			logTriggerExecutionFailure() {},
		};
		Object.setPrototypeOf(self, Factory.prototype);
		const data = { id: 'w', name: 'W', nodes: [], connections: {} };
		const workflow = { id: 'w', name: 'W', timezone: 'UTC', expression: {} };
		const make = self.getExecuteTriggerFunctions(data, {}, 'trigger', 'activate', async () => data, () => undefined);
		const context = make(workflow, { id: 'n', name: 'N', parameters: {} });
		const settled = await new Promise((resolve, reject) => {
			context.emit([[{ json: {} }]], undefined, { resolve, reject }, 'key-1');
		});
		return { parameters: context.emit.length, started, settled };
	`) as { parameters: number; started: unknown[]; settled: unknown };
		const emit = Object.defineProperty(() => undefined, 'length', { value: parameters });
		expect(canDeduplicate({ emit })).toBe(true);
		expect(started).toEqual(['key-1']);
		expect(settled).toEqual({ finished: true });
	},
);

it('emitOnce passes the deduplication key to `emit`', async () => {
	const keys: unknown[] = [];
	let resolve: (value: never) => void = () => undefined;
	const promise = new Promise<never>((done) => (resolve = done));
	const helpers = { createDeferredPromise: () => ({ promise, resolve, reject: resolve }) };
	const context = {
		helpers: helpers as unknown as ITriggerFunctions['helpers'],
		emit: (...args: Parameters<ITriggerFunctions['emit']>) => {
			keys.push(readKey(...args));
			args[2]!.resolve(undefined as never);
		},
	};
	await emitOnce(context, 'key-1', []);
	expect(keys).toEqual(['key-1']);
});
