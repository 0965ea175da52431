// Protects triggers that n8n restarts: the registry returns the last state, and concurrent requests share one start.
import { TriggerRegistry } from '../../../../nodes/engine/trigger/common/registry';
import type { RegisteredTrigger } from '../../../../nodes/engine/trigger/common/registry';

describe('TriggerRegistry', () => {
	const triggerNode = { workflowId: 'w', nodeId: 'n' };
	const createState = (...ids: string[]) => ({ version: 1, ids });
	const createRunningTrigger = (...ids: string[]) =>
		({
			storedState: () => createState(...ids),
			replaceWith: jest.fn(),
		}) as unknown as RegisteredTrigger & {
			replaceWith: jest.Mock;
		};

	it('returns how a trigger stopped until the next one starts', () => {
		const registry = new TriggerRegistry();
		const first = createRunningTrigger('a');
		registry.recordRunning(triggerNode, first);
		registry.recordStopped(triggerNode, first, {
			storedState: createState('a'),
			isRestartDue: false,
			wasRejectionReported: true,
		});
		expect(registry.find(triggerNode)).toBeUndefined();
		expect(registry.lastStateOf(triggerNode)).toMatchObject({ wasRejectionReported: true });
		registry.recordRunning(triggerNode, createRunningTrigger('a'));
		expect(registry.lastStateOf(triggerNode)).toMatchObject({ wasRejectionReported: false });
	});

	it('stops a trigger that another one replaces, and ignores its later stop', () => {
		const registry = new TriggerRegistry();
		const [first, second] = [createRunningTrigger('a'), createRunningTrigger('b')];
		registry.recordRunning(triggerNode, first);
		registry.recordRunning(triggerNode, second);
		expect(first.replaceWith).toHaveBeenCalledTimes(1);
		registry.recordStopped(triggerNode, first, {
			storedState: createState('a'),
			isRestartDue: false,
			wasRejectionReported: false,
		});
		expect(registry.find(triggerNode)).toBe(second);
		expect(registry.storedStates('w')).toEqual([['n', createState('b')]]);
	});

	it('returns the state of a failed trigger until its successor runs or n8n closes the others', () => {
		const registry = new TriggerRegistry();
		const [failing, other] = [createRunningTrigger('a'), createRunningTrigger('b')];
		const otherNode = { workflowId: 'w', nodeId: 'other' };
		const stop = (isRestartDue: boolean) => ({
			storedState: createState('a'),
			isRestartDue,
			wasRejectionReported: false,
		});
		const states = () => Object.fromEntries(registry.storedStates('w'));
		registry.recordRunning(triggerNode, failing);
		registry.recordRunning(otherNode, other);
		registry.recordStopped(triggerNode, failing, stop(true));
		expect(states()).toEqual({ n: createState('a'), other: createState('b') });
		registry.recordRunning(triggerNode, createRunningTrigger('c'));
		expect(states()).toEqual({ n: createState('c'), other: createState('b') });
		registry.recordStopped(triggerNode, registry.find(triggerNode)!, stop(true));
		registry.recordStopped(otherNode, other, stop(false));
		expect(states()).toEqual({});
	});

	it('keeps the states of at most 100 stopped triggers, the last one included', () => {
		const registry = new TriggerRegistry();
		for (let index = 0; index < 150; index++) {
			const otherNode = { workflowId: `${index}`, nodeId: 'n' };
			const trigger = createRunningTrigger('a');
			registry.recordRunning(otherNode, trigger);
			registry.recordStopped(otherNode, trigger, {
				storedState: createState('a'),
				isRestartDue: false,
				wasRejectionReported: false,
			});
		}
		const stops = Array.from({ length: 150 }, (_, index) =>
			registry.lastStateOf({ workflowId: `${index}`, nodeId: 'n' }),
		);
		expect(stops.filter(Boolean)).toHaveLength(100);
		expect(stops[149]).toBeDefined();
	});

	it('shares a start in progress between callers with the same key, and starts again if it failed', async () => {
		const registry = new TriggerRegistry();
		let startCount = 0;
		const startWorkflow = async () => {
			startCount++;
			await new Promise((resolve) => setTimeout(resolve, 5));
			if (startCount === 1) throw new Error('not started');
			return 'started';
		};
		const concurrentStarts = [
			registry.joinOrBeginStart('k', startWorkflow),
			registry.joinOrBeginStart('k', startWorkflow),
		];
		expect(await Promise.allSettled(concurrentStarts)).toMatchObject([
			{ status: 'rejected' },
			{ status: 'rejected' },
		]);
		expect(await registry.joinOrBeginStart('k', startWorkflow)).toBe('started');
		expect(startCount).toBe(2);
	});
});
