import type { ServiceRequest, Handler, Settings } from '../service';
import { contactWrites } from './contactWrites';
import { toIsoTime } from './records';
import type { ContactInput } from './records';
import { invalid, filterNewer, createPageResponse, createRecordResponse } from './responses';
import type { PageQuery } from './responses';
import { searchRecords } from './searchRecords';
import type { Criteria } from './searchRecords';
import { shapeForm } from './shapeForm';
import type { Store } from './store';

interface ListParams {
	contactListId: number;
}
interface ContactParams extends ListParams {
	contactId: number;
}
type UpdatedAfterQuery = PageQuery & { updatedAfter?: string };

const searchableProperties = [
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
		const { list, partition } = store().getList(id);
		return { ...list, ContactCount: store().contacts.size(partition) };
	};
	const writes = contactWrites(store, settings);
	const findContact = ({ contactListId, contactId }: ContactParams) => {
		const entry = store().getList(contactListId);
		return { entry, contact: store().getContact(entry, contactId) };
	};
	const listContacts = (id: number) => store().contacts.list(store().getList(id).partition);

	return {
		getManyContactLists({ query }: ServiceRequest<object, UpdatedAfterQuery>) {
			const lists = [...store().lists.values()].map(({ list }) => list);
			const newerLists = filterNewer(lists, query.updatedAfter, (list) => list.LastUpdated);
			return createPageResponse(settings, query, newerLists, (list) =>
				showList(list.ContactListId),
			);
		},
		createContactList({ body, now }: ServiceRequest<object, object, { Name: string }>) {
			requireName(body.Name);
			const list = store().addList(body.Name, { now, by: 'api' });
			return createRecordResponse(settings, showList(list.ContactListId));
		},
		getContactList({ params }: ServiceRequest<ListParams>) {
			return createRecordResponse(settings, showList(params.contactListId));
		},
		updateContactList({ params, body, now }: ServiceRequest<ListParams, object, { Name: string }>) {
			const { list } = store().getList(params.contactListId);
			requireName(body.Name);
			list.Name = body.Name;
			list.LastUpdated = toIsoTime(now);
			store().publish({ now, by: 'api' }, `A contact list is called ${list.Name} now`, { list });
			return createRecordResponse(settings, showList(params.contactListId));
		},
		deleteContactList({ params, now }: ServiceRequest<ListParams>) {
			const { list } = store().getList(params.contactListId);
			store().lists.delete(params.contactListId);
			store().publish({ now, by: 'api' }, `The contact list ${list.Name} was deleted`, { list });
			return createRecordResponse(settings, {
				Message: `Contact list ${params.contactListId} was deleted.`,
			});
		},

		getManyContacts({ params, query }: ServiceRequest<ListParams, UpdatedAfterQuery>) {
			const contacts = listContacts(params.contactListId);
			const newerContacts = filterNewer(
				contacts,
				query.updatedAfter,
				(contact) => contact.LastUpdated,
			);
			return createPageResponse(settings, query, newerContacts);
		},
		addContacts({ params, body, now }: ServiceRequest<ListParams, object, ContactInput[]>) {
			writes.addMany(store().getList(params.contactListId), body, { now, by: 'api' });
			return createRecordResponse(settings, showList(params.contactListId));
		},
		getContactForm({ params }: ServiceRequest<ListParams>) {
			store().getList(params.contactListId);
			return { status: 200, body: shapeForm(store().contactForm, settings.formShape) };
		},
		searchContacts({ params, query, body }: ServiceRequest<ListParams, PageQuery, Criteria>) {
			const contacts = listContacts(params.contactListId);
			return createPageResponse(
				settings,
				query,
				searchRecords(contacts, store().contactForm, searchableProperties, body),
			);
		},
		getContact({ params }: ServiceRequest<ContactParams>) {
			return createRecordResponse(settings, findContact(params).contact);
		},
		updateContact({ params, body, now }: ServiceRequest<ContactParams, object, ContactInput>) {
			const { entry, contact } = findContact(params);
			return createRecordResponse(
				settings,
				writes.change(entry, contact, body, { now, by: 'api' }),
			);
		},
		removeContact({ params, now }: ServiceRequest<ContactParams>) {
			const { entry, contact } = findContact(params);
			writes.remove(entry, contact, { now, by: 'api' });
			return createRecordResponse(settings, {
				Message: `Contact ${params.contactId} was removed.`,
			});
		},
	};
}
