import type { INodeProperties } from 'n8n-workflow';

import { EventRegistrationTrigger } from '../../../nodes/EventRegistration/EventRegistrationTrigger.node';
import { packServices } from '../../support/pack';
import { openPanel } from '../../support/panel';
import { useRig } from '../../support/sandboxRig';

const rig = useRig({ registrations: 20 });

const chosen = { eventId: { __rl: true, mode: 'id', value: '1001' } };

/** Locators of all nodes that may be left empty. Those in collections are left out: there, the user removes the field. */
const optional = packServices.flatMap(({ Node, Trigger }) =>
	[Node, ...(Trigger ? [Trigger] : [])].flatMap((Type) => {
		const { name, properties } = new Type().description;
		return properties
			.filter(({ type, required }) => type === 'resourceLocator' && required !== true)
			.map((property): [string, string, INodeProperties] => [
				name,
				`${property.name} of ${JSON.stringify(property.displayOptions?.show)}`,
				property,
			]);
	}),
);

it('the pack has optional resource locators', () => {
	expect(optional.map(([node]) => node)).toEqual(
		expect.arrayContaining(['twoFactor', 'eventRegistration', 'eventRegistrationTrigger']),
	);
});

describe.each(optional)('%s: %s', (node, _, { modes = [], default: initial }) => {
	const { placeholder, typeOptions } = modes.find(({ type }) => type === 'list')!;
	const method = typeOptions!.searchListMethod!;
	const list = async (filter?: string, token?: string) => {
		rig.kit.nodes.eventRegistrationTrigger = EventRegistrationTrigger;
		return (await openPanel(rig.kit, node, chosen).list(method, filter, token)).results;
	};

	it('the first row clears the value, and n8n shows its name once it is chosen', async () => {
		const [first, second] = await list();
		// n8n's editor shows the placeholder of a locator whose value is empty, and the name of no row.
		expect(first).toEqual({ name: placeholder, value: '' });
		expect(initial).toMatchObject({ mode: 'list', value: '' });
		expect(placeholder).not.toMatch(/^Choose /);
		expect(second!.value).not.toBe('');
	});

	it('filtered searches and further pages have no row that clears the value', async () => {
		const laterPages = [...(await list('zzz')), ...(await list(undefined, '200'))];
		expect(laterPages.map(({ value }) => value)).not.toContain('');
	});
});
