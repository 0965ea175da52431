// Protects agents whose tool fails: the message says once what they can do and what to pass on, and contains no secret.
import type { INode } from 'n8n-workflow';

import { adviceForAgent } from '../../nodes/engine/adviceForAgent';
import { BadInput, ServiceFailure, toNodeError } from '../../nodes/engine/errors';

const PASS_ON = 'Tell the person who runs this workflow: ';

it.each([
	['Check the phone number and its country.', 'Check the phone number and its country.'],
	['Check the credential.', `${PASS_ON}Check the credential.`],
	[
		'Check the ID, or whether this credential can access it.',
		'Check the ID, or whether this credential can access it.',
	],
	[
		"Check 'Base URL' in the credential. Treat this as not verified.",
		`Treat this as not verified. ${PASS_ON}Check 'Base URL' in the credential.`,
	],
	[
		'Check Phone Number, for example +49 151 2345678. If this keeps happening, ask the provider.',
		`Check Phone Number, for example +49 151 2345678. ${PASS_ON}If this keeps happening, ask the provider.`,
	],
])(
	'adviceForAgent keeps advice for the agent, and marks advice that the agent must pass on: %s',
	(advice, expected) => {
		expect(adviceForAgent(advice)).toBe(expected);
		expect(adviceForAgent(expected)).toBe(expected);
	},
);

describe('advice for an agent in the error of a node', () => {
	const nodeOfType = (type: string) => ({ name: 'Node', type, parameters: {} }) as INode;
	const failures = [
		new ServiceFailure('The service says: No such user.', { advice: 'Check the User ID.' }),
		new BadInput('The service says: No such user', 'Check the User ID.'),
	];
	const mixedAdvice = 'Check the credential. Let nobody in on this answer.';

	it.each(failures)('the message contains the advice ($name)', (failure) => {
		const { message, description } = toNodeError(nodeOfType('pack.thingTool'), failure, 0);
		expect(message).toBe('The service says: No such user. Check the User ID.');
		expect(description).toBe('Check the User ID.');
	});

	it.each(failures)(
		'the message contains the advice once, even if the error was stored and created again ($name)',
		(failure) => {
			const { message, description } = toNodeError(nodeOfType('pack.thingTool'), failure, 0);
			const storedFailure = new ServiceFailure(message, { advice: description! });
			expect(toNodeError(nodeOfType('pack.thingTool'), storedFailure, 0).message).toBe(message);
		},
	);

	// n8n appends the description to a message that does not contain it, for example for MCP servers.
	it.each([new ServiceFailure('No', { advice: mixedAdvice }), new BadInput('No', mixedAdvice)])(
		'the message ends with the text of the description ($name)',
		(failure) => {
			const { message, description } = toNodeError(nodeOfType('pack.thingTool'), failure, 0);
			const expectedMessage = `Let nobody in on this answer. ${PASS_ON}Check the credential.`;
			expect(message).toBe(`No. ${expectedMessage}`);
			expect(description).toBe(expectedMessage);
		},
	);

	it('the message contains no secret', () => {
		const failure = new BadInput('No', 'Do not send hunter22 again.');
		const { message } = toNodeError(nodeOfType('pack.thingTool'), failure, 0, ['hunter22']);
		expect(message).toBe('No. Do not send ••• again.');
	});

	it('the message contains no advice if no agent uses the node', () => {
		for (const failure of failures) {
			expect(toNodeError(nodeOfType('pack.thing'), failure, 0).message).toMatch(/No such user\.?$/);
		}
	});
});
