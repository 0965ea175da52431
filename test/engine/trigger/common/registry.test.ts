import { TriggerRegistry } from '../../../../nodes/engine/trigger/common/registry';
import type { RegisteredTrigger } from '../../../../nodes/engine/trigger/common/registry';

describe('TriggerRegistry', () => {
	const place = { workflowId: 'w', nodeId: 'n' };
	const state = (...ids: string[]) => ({ version: 1, ids });
	const running = (...ids: string[]) =>
		({
			storedState: () => state(...ids),
			replaceWith: jest.fn(),
		}) as unknown as RegisteredTrigger & {
			replaceWith: jest.Mock;
		};

	it('passes the state of a stopped trigger to the next one, once', () => {
		const registry = new TriggerRegistry();
		const first = running('a');
		registry.recordStart(place, first);
		registry.recordStop(place, first, { storedState: state('a'), wasRejected: true });
		expect(registry.running(place)).toBeUndefined();
		expect(registry.lastStop(place)).toMatchObject({ wasRejected: true });
		registry.recordStart(place, running('a'));
		expect(registry.lastStop(place)).toMatchObject({ wasRejected: false });
	});

	it('stops the trigger that another one replaces, and ignores its later reports', () => {
		const registry = new TriggerRegistry();
		const [first, second] = [running('a'), running('b')];
		registry.recordStart(place, first);
		registry.recordStart(place, second);
		expect(first.replaceWith).toHaveBeenCalledTimes(1);
		registry.recordStop(place, first, { storedState: state('a'), wasRejected: false });
		expect(registry.running(place)).toBe(second);
		expect(registry.storedStates('w')).toEqual([['n', state('b')]]);
	});

	it('keeps the state of at most 100 stopped triggers', () => {
		const registry = new TriggerRegistry();
		for (let index = 0; index < 150; index++) {
			const triggerKey = { workflowId: `${index}`, nodeId: 'n' };
			const trigger = running('a');
			registry.recordStart(triggerKey, trigger);
			registry.recordStop(triggerKey, trigger, { storedState: state('a'), wasRejected: false });
		}
		const stops = Array.from({ length: 150 }, (_, index) =>
			registry.lastStop({ workflowId: `${index}`, nodeId: 'n' }),
		);
		expect(stops.filter(Boolean)).toHaveLength(100);
		expect(stops[149]).toBeDefined();
	});

	it('starts a key once while its start is in progress', async () => {
		const registry = new TriggerRegistry();
		let begunCount = 0;
		const begin = async () => {
			begunCount++;
			await new Promise((resolve) => setTimeout(resolve, 5));
			if (begunCount === 1) throw new Error('not started');
			return 'started';
		};
		const both = [registry.startWorkflowOnce('k', begin), registry.startWorkflowOnce('k', begin)];
		expect(await Promise.allSettled(both)).toMatchObject([
			{ status: 'rejected' },
			{ status: 'rejected' },
		]);
		expect(await registry.startWorkflowOnce('k', begin)).toBe('started');
		expect(begunCount).toBe(2);
	});
});
