import { Workflow } from 'n8n-workflow';
import type { INode, INodeType } from 'n8n-workflow';

import { PasswordlessIdentity } from '../../nodes/PasswordlessIdentity/PasswordlessIdentity.node';
import { TwoFactor } from '../../nodes/TwoFactor/TwoFactor.node';
import { packServices } from '../support/pack';

it.each(packServices)('$name says what it does as all others do', ({ Node }) => {
	expect(new Node().description.subtitle).toBe(new TwoFactor().description.subtitle);
});

it.each<[string, new () => INodeType, string, string]>([
	['scope job: wait until finished', PasswordlessIdentity, 'scopeJob', 'waitUntilFinished'],
	['one time code: send by sms', TwoFactor, 'oneTimeCode', 'sendBySms'],
])('the canvas says %s', (words, Node, resource, operation) => {
	const type = new Node();
	const node: INode = {
		id: '1',
		name: 'Node',
		type: 'node',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource, operation },
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
	});
	// As the editor does it.
	const { subtitle } = type.description;
	const shown = workflow.expression.getSimpleParameterValue(
		workflow.getNode('Node')!,
		subtitle,
		'internal',
		{},
	);
	expect(shown).toBe(words);
});
