import { byId, formatCount, fillIfChanged, make, showList } from '/common/dom.js';
import { showToast } from '/common/shell.js';

import { fetchView, runAction } from './api.js';
import { createForm } from './fields.js';
import { toFormFields, toApiInput, toFormValues, formatDisplayName } from './forms.js';
import { createContactRow } from './rows.js';
import { closeSheet, openSheet } from './sheet.js';

const service = 'eventRegistration';
let contactForm = [];

const readSelectedListId = () => Number(byId('contact-list').value);

/** Fills the drop-down list of contact lists and keeps the user's choice. */
async function showLists() {
	const response = await fetchView(service, 'lists');
	({ form: contactForm } = response);
	const select = byId('contact-list');
	const selectedId = select.value;
	fillIfChanged(select, JSON.stringify(response.lists), () =>
		response.lists.map(({ ContactListId, Name, ContactCount }) =>
			make('option', { value: ContactListId }, `${Name} (${formatCount(ContactCount)})`),
		),
	);
	if (response.lists.some(({ Id }) => Id === selectedId)) select.value = selectedId;
}

function openContact(contact) {
	const ids = {
		contactListId: readSelectedListId(),
		...(contact && { contactId: contact.ContactId }),
	};
	const { form: element } = createForm({
		fields: toFormFields(contactForm),
		values: contact ? toFormValues(contactForm, contact) : {},
		submitLabel: contact ? 'Save Changes' : 'Add Contact',
		onSubmit: async (values) => {
			const input = toApiInput(contactForm, values);
			if (!contact) input.CustomFields = input.CustomFields.filter(({ Value }) => Value !== '');
			const saved = await runAction(service, contact ? 'changeContact' : 'addContact', {
				...ids,
				...input,
			});
			closeSheet();
			showToast(`${formatDisplayName(saved)} was ${contact ? 'changed' : 'added'}`, 'good');
		},
	});
	const remove = async () => {
		try {
			await runAction(service, 'removeContact', ids);
			showToast(`${formatDisplayName(contact)} was removed`, 'good');
		} catch (error) {
			showToast(error.message, 'bad');
		}
		closeSheet();
	};
	const removeButtons = contact && [
		make(
			'button',
			{ class: 'button deny wide', type: 'button', onclick: remove },
			'Remove Contact',
		),
	];
	openSheet(contact ? formatDisplayName(contact) : 'Add a Contact', [
		element,
		...(removeButtons ?? []),
	]);
}

/** Shows the contacts of the selected list. */
export async function showContacts() {
	await showLists();
	if (!byId('contact-list').value) return;
	const search = byId('contacts-search').value;
	const { total, found, contacts } = await fetchView(service, 'contacts', {
		contactListId: readSelectedListId(),
		search,
	});
	const rows = contacts.map((contact) => ({
		kind: 'contact',
		id: contact.ContactId,
		name: formatDisplayName(contact),
		email: contact.Email,
		note: contact.Organization,
		contact,
	}));
	byId('contacts-count').textContent = describeCount(rows.length, found, total);
	byId('contacts-empty').hidden = rows.length > 0;
	showList(byId('contacts'), rows, {
		getVersion: (row) => JSON.stringify(row),
		create: (row) => createContactRow(row, { onOpen: () => openContact(row.contact) }),
	});
}

/** Describes how many contacts there are and how many of them are shown. */
export function describeCount(shown, found, total) {
	const totalText = formatCount(total);
	if (found < total) return `${formatCount(found)} of ${totalText} found`;
	return shown < total ? `The newest ${shown} of ${totalText}` : `${totalText} in all`;
}

export function setUpContacts(onChoose) {
	byId('contact-list').addEventListener('change', onChoose);
	byId('contacts-search').addEventListener('input', onChoose);
	byId('add-contact').addEventListener('click', () => openContact());
}
