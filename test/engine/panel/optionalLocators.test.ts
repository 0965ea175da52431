// Protects users who chose a value in an optional list: the first row of the list clears it, and only the first row does.
import type { INodeProperties } from 'n8n-workflow';

import { EventRegistrationTrigger } from '../../../nodes/EventRegistration/EventRegistrationTrigger.node';
import { locateById } from '../../support/locators';
import { packServices } from '../../support/pack';
import { openPanel } from '../../support/panel';
import { useRig } from '../../support/sandboxRig';

const rig = useRig({ registrations: 20 });

const chosenEvent = { eventId: locateById('1001') };

/** Locators of all nodes that may stay empty. Locators in collections are not included: there, the user removes the field. */
const optionalLocators = packServices.flatMap(({ Node, Trigger }) =>
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
	expect(optionalLocators.map(([node]) => node)).toEqual(
		expect.arrayContaining(['twoFactor', 'eventRegistration', 'eventRegistrationTrigger']),
	);
});

describe.each(optionalLocators)(
	'the list of %s for the field %s',
	(node, _, { modes = [], default: defaultValue }) => {
		const { placeholder, typeOptions } = modes.find(({ type }) => type === 'list')!;
		const method = typeOptions!.searchListMethod!;
		const searchList = async (filter?: string, token?: string) => {
			rig.kit.nodes.eventRegistrationTrigger = EventRegistrationTrigger;
			return (await openPanel(rig.kit, node, chosenEvent).list(method, filter, token)).results;
		};

		it('the first row clears the value, and its name is the placeholder that n8n shows for an empty value', async () => {
			const [first, second] = await searchList();
			// n8n's editor shows the placeholder of a locator whose value is empty, and not the name of the chosen row.
			expect(first).toEqual({ name: placeholder, value: '' });
			expect(defaultValue).toMatchObject({ mode: 'list', value: '' });
			expect(placeholder).not.toMatch(/^Choose /);
			expect(second!.value).not.toBe('');
		});

		it('a filtered search and a further page have no row that clears the value', async () => {
			const laterPages = [...(await searchList('zzz')), ...(await searchList(undefined, '200'))];
			expect(laterPages.map(({ value }) => value)).not.toContain('');
		});
	},
);
