import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { manner } from '../../engine/run/call';
import { connected } from '../../engine/panel/lists';
import { walkPages } from '../../engine/http/pages';
import type { Paging } from '../../engine/http/pages';
import { idOf } from '../../engine/http/records';
import type { Connection } from '../../engine/http/client';
import { firstText } from '../../engine/values/convert';
import { toColumns } from './columns';
import { isBlank, readForm } from './form';
import type { FormField, KeysAre } from './form';
import { contactForm, registrationForm } from './forms';
import type { Form } from './forms';
import { chosen } from '../lists';
import { nameOf, pagesBy } from '../paging';
import { service } from '../service';

/** A person is waiting in front of the panel. */
const impatient = manner({ tries: 2, longestWait: 5, timeLimit: 20 });

/** Reads a form for the panel; nothing as long as it is not chosen whose form it is. */
async function loadForm(
	context: ILoadOptionsFunctions,
	{ path, owner }: Form,
): Promise<FormField[] | undefined> {
	const id = chosen(context, owner.field);
	if (isBlank(id)) return undefined;
	const keysAre = (context.getCurrentNodeParameter('options.formKeys') ?? 'detect') as KeysAre;
	return await connected(context, service, async (connection) => {
		const params = { [owner.field]: id };
		const { body } = await connection.send(
			{ method: 'GET', path, params, labels: { [owner.field]: owner.label }, repeatable: true },
			impatient,
		);
		return readForm(body, keysAre);
	});
}

/** The fields of a form as inputs: all that is required is marked, unless something is only changed. */
const inputs = (form: Form) =>
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
		const columns = toColumns(fields, form.standard, {
			demanding: operation !== 'update',
			without: operation === 'createOrUpdate' ? ['Email'] : [],
		});
		return { fields: columns };
	};

/** The fields of a form as a choice. */
const choice = (form: Form) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const fields = (await loadForm(this, form)) ?? [];
		return fields.map(({ name, caption }) => ({ name: caption, value: name }));
	};

/** The forms that the resource mapper shows. */
export const formMappings = {
	getContactForm: inputs(contactForm),
	getRegistrationForm: inputs(registrationForm),
};

const groupPages = pagesBy('RegistrationOptionGroupId');
const optionPages = pagesBy('RegistrationOptionId');

/** The choices that drop-down lists offer. */
export const choiceLists = {
	getContactFormFields: choice(contactForm),
	getRegistrationFormFields: choice(registrationForm),

	/** The options of all groups of the event, by the names of both. */
	async getOptions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const eventId = chosen(this, 'eventId');
		if (isBlank(eventId)) return [];
		return await connected(this, service, async (connection) => {
			const path = '/api/v1/events/{eventId}/registrationoptiongroups';
			const found: INodePropertyOptions[] = [];
			for (const group of await readAll(connection, path, { eventId }, groupPages)) {
				const groupId = idOf(group, groupPages);
				if (groupId === undefined) continue;
				const groupName = nameOf(group, 'RegistrationOptionGroup') || `${groupId}`;
				const params = { eventId, groupId };
				for (const option of await readAll(connection, `${path}/{groupId}`, params, optionPages)) {
					const id = idOf(option, optionPages);
					if (id === undefined) continue;
					const price = firstText(option, ['Price']);
					found.push({
						name: `${groupName}: ${nameOf(option, 'RegistrationOption') || id}`,
						value: `${id}`,
						description: price && `Price: ${price}`,
					});
				}
			}
			return found;
		});
	},
};

async function readAll(
	connection: Connection,
	path: string,
	params: Record<string, unknown>,
	paging: Paging,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const pages = walkPages({
		paging,
		first: service.firstPage?.(connection.credential) ?? 1,
		limit: 1000,
		get: async (query) =>
			await connection.send(
				{ method: 'GET', path, params, labels: { eventId: 'Event' }, query, repeatable: true },
				impatient,
			),
		warn: () => undefined,
	});
	for await (const page of pages) records.push(...page);
	return records;
}
