// Protects the panel of a human review, whose output n8n reads: it offers no choice of output, as the tool of an agent does.
import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeProperties } from 'n8n-workflow';

import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { asReview } from '../../engine/review/reviewVariants';

/** Returns the names of the properties that n8n's panel shows for Send and Wait for Approval. */
function getShownProperties(type: string, properties: INodeProperties[]): string[] {
	const description = { ...new TwoFactor().description, name: type, properties };
	const node = { type, typeVersion: 1, parameters: {} } as INode;
	const parameters = {
		resource: 'approvalRequest',
		operation: 'sendAndWait',
		output: 'selectedFields',
	};
	const values = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		true,
		node,
		description,
	)!;
	return properties
		.filter((property) => NodeHelpers.displayParameter(values, property, node, description))
		.map(({ name }) => name);
}

it('the panel of a human review does not offer a choice of output, since n8n reads the output', () => {
	const { properties } = new (asReview(TwoFactor))().description;
	const shown = getShownProperties('twoFactorHitlTool', properties);
	expect(shown).toEqual(expect.arrayContaining(['message', 'twofactorId', 'options']));
	expect(shown).not.toContain('output');
	expect(shown).not.toContain('selectedFields');
});

it("the panel of an agent's tool offers a choice of output", () => {
	const toolDescription: INodeProperties = {
		displayName: 'Tool Description',
		name: 'descriptionType',
		type: 'options',
		options: [{ name: 'Set Automatically', value: 'auto' }],
		default: 'auto',
	};
	const properties = [toolDescription, ...new TwoFactor().description.properties];
	expect(getShownProperties('twoFactorTool', properties)).toEqual(
		expect.arrayContaining(['output', 'selectedFields']),
	);
});
