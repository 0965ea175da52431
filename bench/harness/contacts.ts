import type { FlowNode } from '../../lab/drive/flows';
import type { BenchN8n, Workflow } from './n8n';
import { count, gatehouse, httpRequest, ifNode, split } from './nodes';

export interface Person {
	email: string;
	first: string;
	last: string;
	organization: string;
	country: string;
}

/** Returns the people in the list; with `changedEvery` 100, every hundredth has another organization. */
export const people = (size: number, changedEvery = Infinity): Person[] =>
	Array.from({ length: size }, (_, index) => ({
		email: `ada${index + 1}@email.example`,
		first: 'Ada',
		last: `Lovelace ${index + 1}`,
		organization: (index + 1) % changedEvery === 0 ? 'Difference Engines' : 'Analytical Engines',
		country: 'United Kingdom',
	}));

/** Five mapped fields, with the email address. */
const mapped = {
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

/** A node of the pack for the contacts of the list. */
export const contact = (operation: string, parameters: object): FlowNode =>
	gatehouse('Work', 'eventRegistration', {
		resource: 'contact',
		operation,
		contactListId: { __rl: true, mode: 'id', value: '1' },
		...mapped,
		...parameters,
	});

const to = (node: string) => [{ node, type: 'main', index: 0 }];

/** The workflow that users build without the pack: search by email, and update the contact if it differs. */
export async function searchAndChange(
	n8n: BenchN8n,
	list: string,
	field: string,
): Promise<Workflow> {
	const json = (jsonBody: string) => ({ sendBody: true, specifyBody: 'json', jsonBody });
	const wanted = "$('Split Out').item.json.id.organization";
	const differs = {
		id: 'differs',
		leftValue: '={{ $json.body[0].Organization }}',
		rightValue: `={{ ${wanted} }}`,
		operator: { type: 'string', operation: 'notEquals' },
	};
	const nodes = [
		split('body.people'),
		httpRequest('Search', `${list}/contacts/search`, {
			method: 'POST',
			...json('={{ { Email: $json.id.email } }}'),
			options: { response: { response: { fullResponse: true } } },
		}),
		ifNode(differs),
		httpRequest('Change', `=${list}/contacts/{{ $json.body[0].ContactId }}`, {
			method: 'PATCH',
			...json(`={{ { Organization: ${wanted} } }}`),
		}),
		count(field),
	];
	return await n8n.open(nodes, { If: { main: [to('Change'), []] } });
}
