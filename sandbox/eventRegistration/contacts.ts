import type { Call, Handler, Settings } from '../service';
import { invalid, later, many, notFound, one } from './answers';
import type { ModelState, PageQuery } from './answers';
import { checkForm, mergeCustom } from './checks';
import { shapeForm } from './forms';
import { iso } from './records';
import type { Contact, ContactInput } from './records';
import { search } from './search';
import type { Criteria } from './search';
import type { Store } from './store';

interface ListParams {
	contactListId: number;
}
interface ContactParams extends ListParams {
	contactId: number;
}
type Updated = PageQuery & { updatedAfter?: string };

const properties = [
	'ContactId',
	'FirstName',
	'LastName',
	'Email',
	'Phone',
	'Organization',
	'Title',
];

function requireName(name: string): void {
	if (name.trim() === '') throw invalid({ Name: ['The Name field is required.'] });
}

/** Operations on contact lists and on the contacts in them. */
export function contactHandlers(store: () => Store, settings: Settings): Record<string, Handler> {
	const showList = (id: number) => {
		const { list, partition } = store().list(id);
		return { ...list, ContactCount: store().contacts.size(partition) };
	};
	const touch = (id: number, now: number) => {
		store().list(id).list.LastUpdated = iso(now);
	};
	const find = ({ contactListId, contactId }: ContactParams): Contact => {
		const { partition } = store().list(contactListId);
		const contact = store().contacts.get(partition, contactId);
		if (!contact) throw notFound(`There is no contact ${contactId} in list ${contactListId}.`);
		return contact;
	};
	const contactsOf = (id: number) => store().contacts.list(store().list(id).partition);

	return {
		getManyContactLists({ query }: Call<object, Updated>) {
			const lists = [...store().lists.values()].map(({ list }) => list);
			const chosen = later(lists, query.updatedAfter, (list) => list.LastUpdated);
			return many(settings, query, chosen, (list) => showList(list.ContactListId));
		},
		createContactList({ body, now }: Call<object, object, { Name: string }>) {
			requireName(body.Name);
			return one(settings, showList(store().addList(body.Name, now).ContactListId));
		},
		getContactList({ params }: Call<ListParams>) {
			return one(settings, showList(params.contactListId));
		},
		updateContactList({ params, body, now }: Call<ListParams, object, { Name: string }>) {
			const { list } = store().list(params.contactListId);
			requireName(body.Name);
			list.Name = body.Name;
			touch(params.contactListId, now);
			return one(settings, showList(params.contactListId));
		},
		deleteContactList({ params }: Call<ListParams>) {
			store().list(params.contactListId);
			store().lists.delete(params.contactListId);
			return one(settings, { Message: `Contact list ${params.contactListId} was deleted.` });
		},

		getManyContacts({ params, query }: Call<ListParams, Updated>) {
			const contacts = contactsOf(params.contactListId);
			const chosen = later(contacts, query.updatedAfter, (contact) => contact.LastUpdated);
			return many(settings, query, chosen);
		},
		addContacts({ params, body, now }: Call<ListParams, object, ContactInput[]>) {
			const { partition } = store().list(params.contactListId);
			const wrong: ModelState = {};
			const good = body.filter((input, index) => {
				const state = checkForm(
					store().contactForm,
					{ ...input },
					{ partial: false, prefix: `[${index}].` },
				);
				Object.assign(wrong, state);
				return Object.keys(state).length === 0;
			});
			const allGood = good.length === body.length;
			if (allGood || settings.addContacts === 'keepGood') {
				for (const { CustomFields, ...fields } of good) {
					const id = store().newId('contact');
					store().contacts.add(partition, {
						ContactId: id,
						Id: String(id),
						...fields,
						CustomFields: mergeCustom([], CustomFields),
						DateAdded: iso(now),
						LastUpdated: iso(now),
					});
				}
				if (good.length > 0) touch(params.contactListId, now);
			}
			if (!allGood) throw invalid(wrong);
			return one(settings, showList(params.contactListId));
		},
		getContactForm({ params }: Call<ListParams>) {
			store().list(params.contactListId);
			return { status: 200, body: shapeForm(store().contactForm, settings.formShape) };
		},
		searchContacts({ params, query, body }: Call<ListParams, PageQuery, Criteria>) {
			const contacts = contactsOf(params.contactListId);
			return many(settings, query, search(contacts, store().contactForm, properties, body));
		},
		getContact({ params }: Call<ContactParams>) {
			return one(settings, find(params));
		},
		updateContact({ params, body, now }: Call<ContactParams, object, ContactInput>) {
			const contact = find(params);
			const wrong = checkForm(store().contactForm, { ...body }, { partial: true });
			if (Object.keys(wrong).length > 0) throw invalid(wrong);
			const CustomFields = mergeCustom(contact.CustomFields, body.CustomFields);
			Object.assign(contact, body, { CustomFields, LastUpdated: iso(now) });
			return one(settings, contact);
		},
		removeContact({ params, now }: Call<ContactParams>) {
			find(params);
			const { contactListId, contactId } = params;
			store().contacts.remove(store().list(contactListId).partition, contactId);
			touch(contactListId, now);
			return one(settings, { Message: `Contact ${contactId} was removed.` });
		},
	};
}
