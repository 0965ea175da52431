// Protects the canvas of n8n: the subtitle of a node says which operation or which changes are chosen.
import type { INode, INodeParameters, INodeType } from 'n8n-workflow';

import { EventRegistrationTrigger } from '../../nodes/EventRegistration/EventRegistrationTrigger.node';
import { PasswordlessIdentity } from '../../nodes/PasswordlessIdentity/PasswordlessIdentity.node';
import { TwoFactor } from '../../nodes/TwoFactor/TwoFactor.node';
import { singleNodeWorkflow } from '../support/singleNodeWorkflow';

it.each<[string, new () => INodeType, INodeParameters]>([
	[
		'Wait Until Finished: Scope Job',
		PasswordlessIdentity,
		{ resource: 'scopeJob', operation: 'waitUntilFinished' },
	],
	['Send by SMS: One-Time Code', TwoFactor, { resource: 'oneTimeCode', operation: 'sendBySms' }],
	[
		'Registration Created, Checked In to Event',
		EventRegistrationTrigger,
		{ triggerOn: ['registrationCreated', 'checkedIn'] },
	],
	['Order Placed', EventRegistrationTrigger, { triggerOn: 'orderPlaced' }],
])('the canvas shows the subtitle "%s"', (expectedSubtitle, Node, parameters) => {
	const type = new Node();
	const node: INode = {
		id: '1',
		name: 'Node',
		type: 'node',
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const workflow = singleNodeWorkflow(node, type);
	// n8n's editor evaluates the subtitle in this way.
	const { subtitle } = type.description;
	const shownSubtitle = workflow.expression.getSimpleParameterValue(
		workflow.getNode('Node')!,
		subtitle,
		'internal',
		{},
	);
	expect(shownSubtitle).toBe(expectedSubtitle);
});
