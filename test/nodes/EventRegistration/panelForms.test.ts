// Protects the form in the panel: users see captions, required fields and choices, and the node sends the field names.
import { NodeHelpers } from 'n8n-workflow';

import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { locateById } from '../../support/locators';
import { event, list, usePanel } from './panelRig';

const { openNodePanel, settings } = usePanel();

describe('the form in the panel', () => {
	const getInputs = async (parameters: object, method = 'getRegistrationForm') =>
		(await openNodePanel(parameters).inputs(method)).fields;

	it.each(['captionToName', 'nameToCaption', 'array', 'object'])(
		'shows captions and sends names if the service responds as %s',
		async (formShape) => {
			settings().formShape = formShape;
			const fields = await getInputs({ ...event, operation: 'create' });
			const shownFields = fields.filter(({ removed }) => !removed);
			expect(shownFields.map(({ id, displayName }) => [displayName, id])).toEqual([
				['First name', 'FirstName'],
				['Last name', 'LastName'],
				['Email address', 'Email'],
				['Mobile phone', 'MobilePhone'],
				['Company or organization', 'Company'],
				['Job title', 'JobTitle'],
				['Country of residence', 'Country'],
				['Dietary needs', 'Diet'],
				['T-shirt size', 'ShirtSize'],
			]);
		},
	);

	it('marks required fields and offers choices as the service defines them', async () => {
		settings().formShape = 'array';
		const fields = await getInputs({ eventId: locateById(1003), operation: 'create' });
		expect(fields.filter(({ required }) => required).map(({ id }) => id)).toEqual([
			'FirstName',
			'LastName',
			'Email',
			'Company',
			'Country',
		]);
		const diet = fields.find(({ id }) => id === 'Diet')!;
		expect(diet.type).toBe('options');
		expect(diet.options!.map(({ value }) => value)).toContain('Vegetarian');
	});

	it('marks name and email of a new registration if the service does not say what is required', async () => {
		const getRequiredIds = async (operation: string) =>
			(await getInputs({ ...event, operation }))
				.filter((field) => field.required)
				.map(({ id }) => id);
		expect(await getRequiredIds('create')).toEqual(['FirstName', 'LastName', 'Email']);
		expect(await getRequiredIds('createOrUpdate')).toEqual([]);
		expect(await getRequiredIds('update')).toEqual([]);
		const contactFields = await getInputs({ ...list, operation: 'add' }, 'getContactForm');
		expect(contactFields.some((field) => field.required)).toBe(false);
	});

	it('is hidden before its event or list is chosen', () => {
		const { description } = new EventRegistration();
		const mappers = description.properties.filter(({ type }) => type === 'resourceMapper');
		expect(mappers).toHaveLength(7);
		for (const mapper of mappers) {
			const [resource] = mapper.displayOptions!.show!.resource as string[];
			const [operation] = mapper.displayOptions!.show!.operation as string[];
			const owner = resource === 'contact' ? 'contactListId' : 'eventId';
			const isShown = (ownerValue: unknown) =>
				NodeHelpers.displayParameter(
					{ resource, operation, [owner]: ownerValue } as never,
					mapper,
					null,
					description,
				);
			expect(isShown({ __rl: true, mode: 'list', value: '' })).toBe(false);
			expect(isShown({ __rl: true, mode: 'list', value: '1001' })).toBe(true);
			expect(isShown(locateById('={{ $json.id }}'))).toBe(true);
			expect(isShown('={{ $json.id }}')).toBe(true);
		}
	});

	it('requires no field for Update, and has no Email field for Create or Update, which has its own', async () => {
		settings().formShape = 'array';
		const update = await getInputs({ ...event, operation: 'update' });
		expect(update.some(({ required }) => required)).toBe(false);
		const upsert = await getInputs({ ...event, operation: 'createOrUpdate' });
		expect(upsert.map(({ id }) => id)).not.toContain('Email');
	});

	it('reads an ambiguous map as Form Field Order says', async () => {
		const fields = await getInputs({
			...event,
			operation: 'create',
			options: { formKeys: 'names' },
		});
		expect(fields[0]).toMatchObject({ id: 'First name', displayName: 'FirstName' });
	});

	it('asks for the event or the list if none is chosen', async () => {
		const withoutEvent = { eventId: { __rl: true, mode: 'list', value: '' }, operation: 'create' };
		expect(await openNodePanel(withoutEvent).inputs('getRegistrationForm')).toEqual({
			fields: [],
			emptyFieldsNotice: 'Choose the Event first, then its form appears here',
		});
		const { emptyFieldsNotice } = await openNodePanel().inputs('getContactForm');
		expect(emptyFieldsNotice).toContain('Choose the Contact List first');
	});

	it('shows the contact fields of a list', async () => {
		const fields = await getInputs({ ...list, operation: 'add' }, 'getContactForm');
		expect(fields.map(({ id }) => id)).toEqual(
			expect.arrayContaining(['Email', 'Organization', 'Industry']),
		);
	});
});

describe('the choices of drop-down lists', () => {
	it('are the fields of the form, by their captions', async () => {
		const fields = await openNodePanel(event).choices('getRegistrationFormFields');
		expect(fields).toContainEqual({ name: 'Dietary needs', value: 'Diet' });
		const contactFields = await openNodePanel(list).choices('getContactFormFields');
		expect(contactFields).toContainEqual({ name: 'Where we met', value: 'LeadSource' });
	});

	it('are the options of all groups of the event, with the names of group and option', async () => {
		const options = await openNodePanel(event).choices('getOptions');
		expect(options).toHaveLength(9);
		expect(options[0]).toEqual({
			name: 'Admission: Full pass',
			value: '41001',
			description: 'Price: 690',
		});
	});
});
