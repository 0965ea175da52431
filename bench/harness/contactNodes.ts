import type { FlowNode } from '../../lab/drive/flows';
import type { BenchN8n, CallWorkflow } from './n8n';
import {
	createCountNode,
	createGatehouseNode,
	createHttpRequestNode,
	createIfNode,
	createJsonBody,
	createSplitNode,
} from './nodes';

export interface Person {
	email: string;
	first: string;
	last: string;
	organization: string;
	country: string;
}

/** Returns the people in the list; with `changedEvery` 100, every hundredth has another organization. */
export const createPeople = (size: number, changedEvery = Infinity): Person[] =>
	Array.from({ length: size }, (_, index) => ({
		email: `ada${index + 1}@email.example`,
		first: 'Ada',
		last: `Lovelace ${index + 1}`,
		organization: (index + 1) % changedEvery === 0 ? 'Difference Engines' : 'Analytical Engines',
		country: 'United Kingdom',
	}));

/** Five mapped fields, including the email address. */
const mappedFields = {
	email: '={{ $json.id.email }}',
	details: {
		mappingMode: 'defineBelow',
		value: {
			FirstName: '={{ $json.id.first }}',
			LastName: '={{ $json.id.last }}',
			Organization: '={{ $json.id.organization }}',
			Country: '={{ $json.id.country }}',
		},
	},
};

/** Creates a node of the pack that works on the contacts of the list. */
export const createContactNode = (operation: string, parameters: object): FlowNode =>
	createGatehouseNode('Work', 'eventRegistration', {
		resource: 'contact',
		operation,
		contactListId: { __rl: true, mode: 'id', value: '1' },
		...mappedFields,
		...parameters,
	});

const connectTo = (node: string) => [{ node, type: 'main', index: 0 }];

/** Opens the workflow that users build without the pack: search by email, and update the contact if it differs. */
export async function openSearchAndUpdate(
	n8n: BenchN8n,
	listUrl: string,
	field: string,
): Promise<CallWorkflow> {
	const organizationExpression = "$('Split Out').item.json.id.organization";
	const organizationDiffers = {
		id: 'differs',
		leftValue: '={{ $json.body[0].Organization }}',
		rightValue: `={{ ${organizationExpression} }}`,
		operator: { type: 'string', operation: 'notEquals' },
	};
	const nodes = [
		createSplitNode('body.people'),
		createHttpRequestNode('Search', `${listUrl}/contacts/search`, {
			method: 'POST',
			...createJsonBody('={{ { Email: $json.id.email } }}'),
			options: { response: { response: { fullResponse: true } } },
		}),
		createIfNode(organizationDiffers),
		createHttpRequestNode('Change', `=${listUrl}/contacts/{{ $json.body[0].ContactId }}`, {
			method: 'PATCH',
			...createJsonBody(`={{ { Organization: ${organizationExpression} } }}`),
		}),
		createCountNode(field),
	];
	return await n8n.openWorkflow(nodes, { If: { main: [connectTo('Change'), []] } });
}
