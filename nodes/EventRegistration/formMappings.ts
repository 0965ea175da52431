import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { readRecords } from '../engine/http/pages';
import { toPathSegment } from '../engine/http/path';
import { idOf } from '../engine/http/records';
import type { Request } from '../engine/http/types';
import { withPanelClient } from '../engine/panel/pickLists';
import { firstText } from '../engine/values/convert';
import { toColumns } from './form/columns';
import { contactForm, registrationForm } from './form/formDefinitions';
import type { FormDefinition } from './form/formDefinitions';
import { identifyForm, readForm, readFormKeyOrder } from './form/readForm';
import type { FormField } from './form/readForm';
import { lists } from './lists';
import type { ServiceList } from './lists';
import { nameOf } from './paging';
import { isOwnerChosen, panelOwnerId } from './panelOwner';
import type { OwnerField } from './panelOwner';
import { service } from './service';

/** Reads a form for the panel. Returns undefined until the user has chosen the event or the contact list. */
async function loadForm(
	context: ILoadOptionsFunctions,
	{ path, owner }: FormDefinition<OwnerField>,
): Promise<FormField[] | undefined> {
	if (!isOwnerChosen(context, owner.parameter)) return undefined;
	const keyOrder = readFormKeyOrder(context.getCurrentNodeParameter('options.formKeys'));
	return await withPanelClient(context, service, async (client) => {
		const { body } = await client.send({
			method: 'GET',
			path,
			params: { [owner.parameter]: await panelOwnerId(context, client, owner.parameter) },
			idempotent: true,
			requiredContent: 'content',
			identify: identifyForm,
		});
		return readForm(body, keyOrder);
	});
}

/**
 * Creates the method that loads the inputs of a form. Update marks no input as required; the other operations mark those
 * that the form requires.
 */
const loadColumns = (form: FormDefinition<OwnerField>) =>
	async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const fields = await loadForm(this, form);
		if (!fields) {
			const { label } = form.owner;
			return {
				fields: [],
				emptyFieldsNotice: `Choose the ${label} first, then its form appears here`,
			};
		}
		const operation = this.getCurrentNodeParameter('operation');
		const columns = toColumns(fields, form.standardFields, {
			enforcesRequired: operation !== 'update',
			requiredByDefault: operation === 'create' ? form.requiredOnCreate : [],
			excluded: operation === 'createOrUpdate' || operation === 'sync' ? ['Email'] : [],
		});
		return { fields: columns };
	};

/** Creates the method that loads the fields of a form as options of a drop-down list. */
const loadFieldOptions = (form: FormDefinition<OwnerField>) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const fields = (await loadForm(this, form)) ?? [];
		return fields.map(({ name, caption }) => ({ name: caption, value: name }));
	};

/** `resourceMapping` methods of the node. */
export const formMappings = {
	getContactForm: loadColumns(contactForm),
	getRegistrationForm: loadColumns(registrationForm),
};

/** `loadOptions` methods of the node. */
export const choiceLists = {
	getContactFormFields: loadFieldOptions(contactForm),
	getRegistrationFormFields: loadFieldOptions(registrationForm),

	/** Lists the options of all groups of the event, named "group: option". */
	async getOptions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		if (!isOwnerChosen(this, 'eventId')) return [];
		return await withPanelClient(this, service, async (client) => {
			const readAll = async ({ path, paging }: ServiceList, params: Request['params']) =>
				await readRecords(
					client,
					{ method: 'GET', path, params, idempotent: true },
					{ paging, limit: 1000 },
				);
			const { optionGroups } = lists;
			const eventId = await panelOwnerId(this, client, 'eventId');
			const options: INodePropertyOptions[] = [];
			for (const group of await readAll(optionGroups, { eventId })) {
				const id = idOf(group, optionGroups.paging);
				if (id === undefined) continue;
				const groupId = toPathSegment('Option Group', id);
				const groupName = nameOf(group, 'RegistrationOptionGroup') || groupId;
				for (const option of await readAll(lists.options, { eventId, groupId })) {
					const id = idOf(option, lists.options.paging);
					if (id === undefined) continue;
					const price = firstText(option, ['Price']);
					options.push({
						name: `${groupName}: ${nameOf(option, 'RegistrationOption') || id}`,
						value: `${id}`,
						description: price && `Price: ${price}`,
					});
				}
			}
			return options;
		});
	},
};
