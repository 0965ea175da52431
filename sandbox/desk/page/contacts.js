import { byId, countOf, fillIfNew, make, showList } from '/common/dom.js';
import { toast } from '/common/shell.js';

import { act, view } from './api.js';
import { makeForm } from './fields.js';
import { formFields, formInput, formValues, nameOf } from './forms.js';
import { contactRow } from './rows.js';
import { closeSheet, openSheet } from './sheet.js';

const service = 'eventRegistration';
let form = [];

const listId = () => Number(byId('contact-list').value);

/** Fills the drop-down list of contact lists and keeps the user's choice. */
async function showLists() {
	const loaded = await view(service, 'lists');
	({ form } = loaded);
	const select = byId('contact-list');
	const chosen = select.value;
	fillIfNew(select, JSON.stringify(loaded.lists), () =>
		loaded.lists.map(({ ContactListId, Name, ContactCount }) =>
			make('option', { value: ContactListId }, `${Name} (${countOf(ContactCount)})`),
		),
	);
	if (loaded.lists.some(({ Id }) => Id === chosen)) select.value = chosen;
}

function openContact(contact) {
	const ids = { contactListId: listId(), ...(contact && { contactId: contact.ContactId }) };
	const { form: element } = makeForm({
		fields: formFields(form),
		values: contact ? formValues(form, contact) : {},
		submit: contact ? 'Save Changes' : 'Add Contact',
		onSubmit: async (values) => {
			const input = formInput(form, values);
			if (!contact) input.CustomFields = input.CustomFields.filter(({ Value }) => Value !== '');
			const saved = await act(service, contact ? 'changeContact' : 'addContact', {
				...ids,
				...input,
			});
			closeSheet();
			toast(`${nameOf(saved)} was ${contact ? 'changed' : 'added'}`, 'good');
		},
	});
	const remove = async () => {
		try {
			await act(service, 'removeContact', ids);
			toast(`${nameOf(contact)} was removed`, 'good');
		} catch (error) {
			toast(error.message, 'bad');
		}
		closeSheet();
	};
	const removing = contact && [
		make(
			'button',
			{ class: 'button deny wide', type: 'button', onclick: remove },
			'Remove Contact',
		),
	];
	openSheet(contact ? nameOf(contact) : 'Add a Contact', [element, ...(removing ?? [])]);
}

/** Shows the contacts of the selected list. */
export async function showContacts() {
	await showLists();
	if (!byId('contact-list').value) return;
	const search = byId('contacts-search').value;
	const { total, found, contacts } = await view(service, 'contacts', {
		contactListId: listId(),
		search,
	});
	const rows = contacts.map((contact) => ({
		kind: 'contact',
		id: contact.ContactId,
		name: nameOf(contact),
		email: contact.Email,
		note: contact.Organization,
		contact,
	}));
	byId('contacts-count').textContent = countText(rows.length, found, total);
	byId('contacts-empty').hidden = rows.length > 0;
	showList(byId('contacts'), rows, {
		version: (row) => JSON.stringify(row),
		create: (row) => contactRow(row, { onOpen: () => openContact(row.contact) }),
	});
}

/** Describes how many contacts there are and how many of them are shown. */
export function countText(shown, found, total) {
	const all = countOf(total);
	if (found < total) return `${countOf(found)} of ${all} found`;
	return shown < total ? `The newest ${shown} of ${all}` : `${all} in all`;
}

export function setUpContacts(onChoose) {
	byId('contact-list').addEventListener('change', onChoose);
	byId('contacts-search').addEventListener('input', onChoose);
	byId('add-contact').addEventListener('click', () => openContact());
}
