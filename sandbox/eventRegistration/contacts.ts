import type { ServiceRequest, Handler, Settings } from '../service';
import { contactWrites } from './contactWrites';
import { shapeForm } from './forms';
import { iso } from './records';
import type { ContactInput } from './records';
import { invalid, newerThan, pageResponse, recordResponse } from './responses';
import type { PageQuery } from './responses';
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

/** Handlers of contact lists and their contacts. */
export function contactHandlers(store: () => Store, settings: Settings): Record<string, Handler> {
	const showList = (id: number) => {
		const { list, partition } = store().list(id);
		return { ...list, ContactCount: store().contacts.size(partition) };
	};
	const writes = contactWrites(store, settings);
	const find = ({ contactListId, contactId }: ContactParams) => {
		const entry = store().list(contactListId);
		return { entry, contact: store().contact(entry, contactId) };
	};
	const contactsOf = (id: number) => store().contacts.list(store().list(id).partition);

	return {
		getManyContactLists({ query }: ServiceRequest<object, Updated>) {
			const lists = [...store().lists.values()].map(({ list }) => list);
			const chosen = newerThan(lists, query.updatedAfter, (list) => list.LastUpdated);
			return pageResponse(settings, query, chosen, (list) => showList(list.ContactListId));
		},
		createContactList({ body, now }: ServiceRequest<object, object, { Name: string }>) {
			requireName(body.Name);
			const list = store().addList(body.Name, { now, by: 'api' });
			return recordResponse(settings, showList(list.ContactListId));
		},
		getContactList({ params }: ServiceRequest<ListParams>) {
			return recordResponse(settings, showList(params.contactListId));
		},
		updateContactList({ params, body, now }: ServiceRequest<ListParams, object, { Name: string }>) {
			const { list } = store().list(params.contactListId);
			requireName(body.Name);
			list.Name = body.Name;
			list.LastUpdated = iso(now);
			store().publish({ now, by: 'api' }, `A contact list is called ${list.Name} now`, { list });
			return recordResponse(settings, showList(params.contactListId));
		},
		deleteContactList({ params, now }: ServiceRequest<ListParams>) {
			const { list } = store().list(params.contactListId);
			store().lists.delete(params.contactListId);
			store().publish({ now, by: 'api' }, `The contact list ${list.Name} was deleted`, { list });
			return recordResponse(settings, {
				Message: `Contact list ${params.contactListId} was deleted.`,
			});
		},

		getManyContacts({ params, query }: ServiceRequest<ListParams, Updated>) {
			const contacts = contactsOf(params.contactListId);
			const chosen = newerThan(contacts, query.updatedAfter, (contact) => contact.LastUpdated);
			return pageResponse(settings, query, chosen);
		},
		addContacts({ params, body, now }: ServiceRequest<ListParams, object, ContactInput[]>) {
			writes.addMany(store().list(params.contactListId), body, { now, by: 'api' });
			return recordResponse(settings, showList(params.contactListId));
		},
		getContactForm({ params }: ServiceRequest<ListParams>) {
			store().list(params.contactListId);
			return { status: 200, body: shapeForm(store().contactForm, settings.formShape) };
		},
		searchContacts({ params, query, body }: ServiceRequest<ListParams, PageQuery, Criteria>) {
			const contacts = contactsOf(params.contactListId);
			return pageResponse(settings, query, search(contacts, store().contactForm, properties, body));
		},
		getContact({ params }: ServiceRequest<ContactParams>) {
			return recordResponse(settings, find(params).contact);
		},
		updateContact({ params, body, now }: ServiceRequest<ContactParams, object, ContactInput>) {
			const { entry, contact } = find(params);
			return recordResponse(settings, writes.change(entry, contact, body, { now, by: 'api' }));
		},
		removeContact({ params, now }: ServiceRequest<ContactParams>) {
			const { entry, contact } = find(params);
			writes.remove(entry, contact, { now, by: 'api' });
			return recordResponse(settings, { Message: `Contact ${params.contactId} was removed.` });
		},
	};
}
