import { startsByItself, withCredentials, workflowId } from '../../lab/workflows';
import type { WorkflowFile } from '../../lab/workflows';

const workflow = (...nodes: Array<Partial<WorkflowFile['nodes'][number]>>): WorkflowFile => ({
	name: 'w',
	nodes: nodes.map((node) => ({ name: 'n', type: 't', ...node })),
	connections: {},
});

describe('an example on its way into n8n', () => {
	it('gets the credentials of this lab, whatever ids it brought', () => {
		const ours = [{ id: '7', name: 'Two-Factor (sandbox)', type: 'twoFactorApi' }];
		const { nodes } = withCredentials(
			workflow(
				{ credentials: { twoFactorApi: { id: 'old', name: 'old' } } },
				{ credentials: { otherApi: { id: '1', name: 'kept' } } },
				{},
			),
			ours,
		);
		expect(nodes.map(({ credentials }) => credentials)).toEqual([
			{ twoFactorApi: { id: '7', name: 'Two-Factor (sandbox)' } },
			{ otherApi: { id: '1', name: 'kept' } },
			undefined,
		]);
	});

	it('has an id that only its file name decides', () => {
		expect(workflowId('/a/01-sign-in.json')).toBe(workflowId('/b/01-sign-in.json'));
		expect(workflowId('01-sign-in.json')).not.toBe(workflowId('02-sign-in.json'));
		expect(workflowId('01-sign-in.json')).toMatch(/^[0-9A-Za-z]{16}$/);
	});

	it.each([
		['n8n-nodes-base.manualTrigger', false],
		['n8n-nodes-base.executeWorkflowTrigger', false],
		['n8n-nodes-base.set', false],
		['n8n-nodes-base.scheduleTrigger', true],
		['n8n-nodes-base.webhook', true],
		['n8n-nodes-base.formTrigger', true],
		['n8n-nodes-gatehouse.twoFactorTrigger', true],
	])('is activated when it starts by itself: %s %s', (type, expected) => {
		expect(startsByItself(workflow({ type: 'n8n-nodes-base.manualTrigger' }, { type }))).toBe(
			expected,
		);
		expect(startsByItself(workflow({ type, disabled: true }))).toBe(false);
	});
});
