import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeProperties } from 'n8n-workflow';

import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { asReview } from '../../engine/review/reviewVariants';

/** Names of the properties that n8n's panel shows for Send and Wait for Approval. */
function shownIn(type: string, properties: INodeProperties[]): string[] {
	const description = { ...new TwoFactor().description, name: type, properties };
	const node = { type, typeVersion: 1, parameters: {} } as INode;
	const chosen = {
		resource: 'approvalRequest',
		operation: 'sendAndWait',
		output: 'selectedFields',
	};
	const values = NodeHelpers.getNodeParameters(properties, chosen, true, true, node, description)!;
	return properties
		.filter((property) => NodeHelpers.displayParameter(values, property, node, description))
		.map(({ name }) => name);
}

it('the human review has no choice of output, since n8n reads what it returns', () => {
	const { properties } = new (asReview(TwoFactor))().description;
	const shown = shownIn('twoFactorHitlTool', properties);
	expect(shown).toEqual(expect.arrayContaining(['message', 'twofactorId', 'options']));
	expect(shown).not.toContain('output');
	expect(shown).not.toContain('selectedFields');
});

it('the tool of an agent has a choice of output', () => {
	const description: INodeProperties = {
		displayName: 'Tool Description',
		name: 'descriptionType',
		type: 'options',
		options: [{ name: 'Set Automatically', value: 'auto' }],
		default: 'auto',
	};
	const properties = [description, ...new TwoFactor().description.properties];
	expect(shownIn('twoFactorTool', properties)).toEqual(
		expect.arrayContaining(['output', 'selectedFields']),
	);
});
