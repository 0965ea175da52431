// Protects users who run the examples in the lab: their credentials and links are those of the running sandbox.
import {
	startsAutomatically,
	withCredentials,
	withLinks,
	deriveWorkflowId,
} from '../../lab/workflows';
import type { WorkflowFile } from '../../lab/workflows';

const createWorkflowFile = (
	...nodes: Array<Partial<WorkflowFile['nodes'][number]>>
): WorkflowFile => ({
	name: 'w',
	nodes: nodes.map((node) => ({ name: 'n', type: 't', ...node })),
	connections: {},
});

describe('an example imported into n8n', () => {
	it('gets the credentials of this lab in place of its own', () => {
		const labCredentials = [{ id: '7', name: 'Two-Factor (sandbox)', type: 'twoFactorApi' }];
		const { nodes } = withCredentials(
			createWorkflowFile(
				{ credentials: { twoFactorApi: { id: 'old', name: 'old' } } },
				{ credentials: { otherApi: { id: '1', name: 'kept' } } },
				{},
			),
			labCredentials,
		);
		expect(nodes.map(({ credentials }) => credentials)).toEqual([
			{ twoFactorApi: { id: '7', name: 'Two-Factor (sandbox)' } },
			{ otherApi: { id: '1', name: 'kept' } },
			undefined,
		]);
	});

	it('has notes whose links to a sandbox point to the running sandbox', () => {
		const createNote = (content: string) => ({
			type: 'n8n-nodes-base.stickyNote',
			parameters: { content },
		});
		const { nodes } = withLinks(
			createWorkflowFile(
				createNote('[a](http://127.0.0.1:4010/phone?user=guest) [b](http://127.0.0.1:4010/desk)'),
				createNote('[all phones](http://127.0.0.1:4010/phones)'),
				createNote(
					'[start](http://127.0.0.1:4010/) [start](http://127.0.0.1:9) http://127.0.0.1:5678/home',
				),
				{ parameters: { content: 'http://127.0.0.1:4010/phone' } },
			),
			'http://127.0.0.1:1234',
		);
		expect(nodes.map(({ parameters }) => parameters)).toEqual([
			{ content: '[a](http://127.0.0.1:1234/phone?user=guest) [b](http://127.0.0.1:1234/desk)' },
			{ content: '[all phones](http://127.0.0.1:1234/phones)' },
			{
				content:
					'[start](http://127.0.0.1:1234/) [start](http://127.0.0.1:1234) http://127.0.0.1:5678/home',
			},
			{ content: 'http://127.0.0.1:4010/phone' },
		]);
	});

	it('has an ID that depends only on its file name', () => {
		expect(deriveWorkflowId('/a/01-sign-in.json')).toBe(deriveWorkflowId('/b/01-sign-in.json'));
		expect(deriveWorkflowId('01-sign-in.json')).not.toBe(deriveWorkflowId('02-sign-in.json'));
		expect(deriveWorkflowId('01-sign-in.json')).toMatch(/^[0-9A-Za-z]{16}$/);
	});

	it.each([
		['n8n-nodes-base.manualTrigger', false],
		['n8n-nodes-base.executeWorkflowTrigger', false],
		['n8n-nodes-base.set', false],
		['n8n-nodes-base.scheduleTrigger', true],
		['n8n-nodes-base.webhook', true],
		['n8n-nodes-base.formTrigger', true],
		['n8n-nodes-gatehouse.twoFactorTrigger', true],
	])('is activated if it has a trigger: %s %s', (type, expected) => {
		expect(
			startsAutomatically(createWorkflowFile({ type: 'n8n-nodes-base.manualTrigger' }, { type })),
		).toBe(expected);
		expect(startsAutomatically(createWorkflowFile({ type, disabled: true }))).toBe(false);
	});
});
