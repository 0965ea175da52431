import type { INode } from 'n8n-workflow';

import { adviceForAgent } from '../../nodes/engine/adviceForAgent';
import { BadInput, ServiceFailure, toNodeError } from '../../nodes/engine/errors';
import { isReview, isTool } from '../../nodes/engine/n8n/toolVariants';

const PASS_ON = 'Tell the person who runs this workflow: ';

it.each([
	['pack.thing', false, false],
	['pack.thingTool', true, false],
	['pack.thingHitlTool', true, true],
	['pack.toolbox', false, false],
])('isTool and isReview recognize the node type %s', (type, tool, review) => {
	expect(isTool({ type })).toBe(tool);
	expect(isReview({ type })).toBe(review);
});

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
])('an agent gets advice on what it can do or must pass on: %s', (advice, reported) => {
	expect(adviceForAgent(advice)).toBe(reported);
	expect(adviceForAgent(reported)).toBe(reported);
});

describe('the error of a node that an agent uses', () => {
	const node = (type: string) => ({ name: 'Node', type, parameters: {} }) as INode;
	const failures = [
		new ServiceFailure('The service says: No such user.', { advice: 'Check the User ID.' }),
		new BadInput('The service says: No such user', 'Check the User ID.'),
	];
	const forBoth = 'Check the credential. Let nobody in on this answer.';

	it.each(failures)('the message contains the advice ($name)', (failure) => {
		const { message, description } = toNodeError(node('pack.thingTool'), failure, 0);
		expect(message).toBe('The service says: No such user. Check the User ID.');
		expect(description).toBe('Check the User ID.');
	});

	it.each(failures)(
		'the message contains the advice once, even if the error was stored in between ($name)',
		(failure) => {
			const { message, description } = toNodeError(node('pack.thingTool'), failure, 0);
			const again = new ServiceFailure(message, { advice: description! });
			expect(toNodeError(node('pack.thingTool'), again, 0).message).toBe(message);
		},
	);

	// n8n adds it once more where it is not found there, as for MCP servers.
	it.each([new ServiceFailure('No', { advice: forBoth }), new BadInput('No', forBoth)])(
		'the message contains the advice with the text of the description ($name)',
		(failure) => {
			const { message, description } = toNodeError(node('pack.thingTool'), failure, 0);
			const expectedMessage = `Let nobody in on this answer. ${PASS_ON}Check the credential.`;
			expect(message).toBe(`No. ${expectedMessage}`);
			expect(description).toBe(expectedMessage);
		},
	);

	it('the message contains no secret', () => {
		const failure = new BadInput('No', 'Do not send hunter22 again.');
		const { message } = toNodeError(node('pack.thingTool'), failure, 0, ['hunter22']);
		expect(message).toBe('No. Do not send ••• again.');
	});

	it('the message contains no advice if no agent uses the node', () => {
		for (const failure of failures) {
			expect(toNodeError(node('pack.thing'), failure, 0).message).toMatch(/No such user\.?$/);
		}
	});
});
