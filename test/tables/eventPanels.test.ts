// Protects users of the event panels: no button is ambiguous, no description is cut off, and no phrase is unclear.
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { EventData } from '../../nodes/EventData/EventData.node';
import { EventDataTrigger } from '../../nodes/EventData/EventDataTrigger.node';
import { EventRegistration } from '../../nodes/EventRegistration/EventRegistration.node';
import { EventRegistrationTrigger } from '../../nodes/EventRegistration/EventRegistrationTrigger.node';

const nodes = [EventData, EventRegistration, EventDataTrigger, EventRegistrationTrigger].map(
	(Node) => new Node().description,
);

/** Length from which n8n cuts off the description of an operation. */
const CUT_OFF_LENGTH = 90;

/** Phrases that read as translated or say nothing. */
const AVOIDED_PHRASE =
	/\b(puts? out|hand(ed)? in|by (it|them)sel(f|ves)|does no harm|go(es)? on|any ?body|some ?body|no ?body|the most seconds|missing or too much|as people write it|lies? between|to work with|Whats?\b.* to (do|change|get)|Cancelled|Look up)\b/i;

const listNested = (property: INodeProperties): INodeProperties[] =>
	(property.options ?? []).flatMap((option) =>
		'values' in option ? option.values : 'type' in option ? [option] : [],
	);
/** Returns a property and everything inside it. */
const flatten = (property: INodeProperties): INodeProperties[] => [
	property,
	...listNested(property).flatMap(flatten),
];
const isShown = ({ displayOptions }: INodeProperties, values: Record<string, string>) =>
	Object.entries(values).every(
		([name, value]) => displayOptions?.show?.[name]?.includes(value) ?? true,
	);

/** The properties of each operation, by its name. */
const panels = nodes.flatMap(({ displayName, properties }) => {
	const operations = properties.filter(({ name }) => name === 'operation');
	if (operations.length === 0) return [{ panel: displayName, fields: properties }];
	return operations.flatMap(({ options, displayOptions }) => {
		const [resource] = displayOptions!.show!.resource as string[];
		return (options as INodePropertyOptions[]).map(({ value }) => ({
			panel: `${displayName}, ${resource}: ${value}`,
			fields: properties.filter((field) =>
				isShown(field, { resource: resource!, operation: `${value}` }),
			),
		}));
	});
});

it.each(panels)('$panel has no two buttons with the same text', ({ fields }) => {
	const buttons = fields
		.flatMap(flatten)
		.filter(({ type }) => /collection/i.test(type))
		.map(({ placeholder }) => placeholder?.toLowerCase());
	expect(buttons.length).toBeGreaterThan(0);
	expect(buttons.filter((text, index) => buttons.indexOf(text) !== index)).toEqual([]);
});

const panelsWithFilters = panels
	.map(({ panel, fields }) => ({ panel, names: fields.map(({ displayName }) => displayName) }))
	.filter(({ names }) => names.includes('Return All') && names.includes('Filters'));

it.each(panelsWithFilters)('$panel has its filters below Return All and Limit', ({ names }) => {
	expect(names).toContain('Limit');
	expect(names.indexOf('Filters')).toBeGreaterThan(names.indexOf('Limit'));
	expect(names.indexOf('Filters')).toBeGreaterThan(names.indexOf('Return All'));
});

// panelStyle.test.ts checks operations.
it.each(nodes)(
	'$displayName has no description of a resource or event that n8n cuts off',
	(node) => {
		const choices = node.properties
			.filter(({ name }) => ['triggerOn', 'resource'].includes(name))
			.flatMap(({ options }) => options as INodePropertyOptions[]);
		expect(choices.length).toBeGreaterThan(0);
		expect(choices.filter(({ description = '' }) => description.length >= CUT_OFF_LENGTH)).toEqual(
			[],
		);
	},
);

it.each(nodes)('$displayName contains no phrase to avoid', (node) => {
	const { description, eventTriggerDescription, activationMessage, triggerPanel } = node;
	const fields = node.properties.flatMap(flatten);
	const choices = node.properties
		.flatMap(flatten)
		.flatMap(({ options = [] }) => options)
		.filter((option) => !('type' in option) && !('values' in option)) as INodePropertyOptions[];
	const texts = [
		...fields.flatMap((field) => [field.displayName, field.description, field.placeholder]),
		...choices.flatMap((choice) => [choice.name, choice.description, choice.action]),
		description,
		eventTriggerDescription,
		activationMessage,
		JSON.stringify(triggerPanel),
	].filter((text) => text !== undefined);
	expect(texts.length).toBeGreaterThan(20);
	expect(texts.filter((text) => AVOIDED_PHRASE.test(text))).toEqual([]);
});

it('the descriptions of the two event nodes say which kind of ID each has', () => {
	const [eventData, eventRegistration] = nodes;
	expect(eventData!.description).toMatch(/evt_.*att_/);
	expect(eventRegistration!.description).toContain('numeric IDs');
});
