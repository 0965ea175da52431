import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { known } from '../../nodes/EventRegistration/samples';
import type { Rig } from '../sandboxRig';
import {
	changes,
	details,
	find,
	name,
	named,
	newcomer,
	person,
	read,
	touched,
	write,
} from './eventRegistrationRows';
import type { Found, Row } from './eventRegistrationRows';
import { sendDirectly, locateById } from './sample';
import type { Changes } from './sample';

const list = { contactListId: locateById(known.contactListId) };
const listTouched = { contactLists: { [known.contactListId]: touched } };
const noList = {
	parameters: { contactListId: locateById(9999) },
	expected: /There is no contact list 9999/,
};
const noContact = { parameters: { contactId: locateById(1) }, expected: /There is no contact 1 / };

const valueOf = (parameters: INodeParameters, name: string) =>
	(parameters[name] as ReturnType<typeof locateById>).value;

/** Returns the changes of deleting the list with all its contacts. */
async function listGone(rig: Rig): Promise<Changes> {
	const path = `/api/v1/contactlists/${known.contactListId}/contacts?pageSize=200`;
	const contacts = await sendDirectly<IDataObject[]>(rig, 'eventRegistration', path);
	return {
		removed: {
			contactLists: [`${known.contactListId}`],
			contacts: contacts.map(({ ContactId }) => `${ContactId as number}`),
		},
	};
}

/** Returns a sample row for every operation on contacts and contact lists. */
export function contactRows(found: Found): Row[] {
	const contact = { ...list, contactId: locateById(found.contactId) };
	const { Email: email } = newcomer;
	return [
		write(
			'contact',
			'add',
			'ContactListId',
			{ ...list, ...details },
			{
				changes: () => ({
					added: { contacts: [expect.objectContaining(person)] },
					changed: listTouched,
				}),
				missingRecord: noList,
				effect: 'these contacts were added',
			},
		),
		write(
			'contact',
			'createOrUpdate',
			{ created: true },
			{ ...list, email, ...named },
			{
				variant: 'of a new person',
				changes: () => ({
					added: { contacts: [expect.objectContaining(newcomer)] },
					changed: listTouched,
				}),
				missingRecord: noList,
				effect: 'the contact was added',
			},
		),
		write(
			'contact',
			'createOrUpdate',
			{ created: false },
			{ ...list, email: found.contactEmail, ...named },
			{
				variant: 'of a known person',
				changes: async (rig) => ({
					changed: { contacts: { [(await find(rig)).contactId]: { ...name, ...touched } } },
				}),
				missingRecord: noList,
				effect: 'the contact was changed',
			},
		),
		read('contact', 'get', 'ContactId', contact, noContact),
		read('contact', 'getForm', 'caption', list, noList),
		read('contact', 'getMany', 'ContactId', list, noList),
		write('contact', 'remove', { deleted: true }, contact, {
			changes: (_, given) => ({
				removed: { contacts: [valueOf(given, 'contactId')] },
				changed: listTouched,
			}),
			missingRecord: noContact,
		}),
		read('contact', 'search', 'ContactId', list, noList),
		write(
			'contact',
			'sync',
			{ change: 'created', applied: true },
			{ ...list, email, ...named, mode: 'apply' },
			{
				variant: 'of a new person',
				changes: () => ({
					added: { contacts: [expect.objectContaining(newcomer)] },
					changed: listTouched,
				}),
				missingRecord: noList,
				effect: 'these contacts were added',
				outputIfResponseLost: { change: 'uncertain', applied: null },
				handlesItemsTogether: true,
			},
		),
		write(
			'contact',
			'sync',
			{ change: 'updated', applied: true },
			{ ...list, email: found.contactEmail, ...named, mode: 'apply' },
			{
				variant: 'of a known person',
				changes: async (rig) => ({
					changed: { contacts: { [(await find(rig)).contactId]: { ...name, ...touched } } },
				}),
				missingRecord: noList,
				effect: 'the contact was changed',
				outputIfResponseLost: { change: 'uncertain', applied: null },
				handlesItemsTogether: true,
			},
		),
		write(
			'contact',
			'update',
			'ContactId',
			{ ...contact, ...changes },
			{
				changes: (_, given) => ({
					changed: {
						contacts: { [valueOf(given, 'contactId')]: { LastName: 'Øster', ...touched } },
					},
				}),
				missingRecord: noContact,
				effect: 'the contact was changed',
			},
		),
		write(
			'contactList',
			'create',
			'ContactListId',
			{ name: 'Helpers' },
			{
				changes: () => ({
					added: { contactLists: [expect.objectContaining({ Name: 'Helpers' })] },
				}),
				missingRecord: 'takes no id',
				effect: 'the list was created',
			},
		),
		write('contactList', 'delete', { deleted: true }, list, {
			changes: listGone,
			missingRecord: noList,
		}),
		read('contactList', 'get', 'ContactCount', list, noList),
		read('contactList', 'getMany', 'ContactListId', {}, 'takes no id'),
		write(
			'contactList',
			'update',
			{ Name: 'Speakers!' },
			{ ...list, name: 'Speakers!' },
			{
				changes: () => ({
					changed: {
						contactLists: { [known.contactListId]: { Name: 'Speakers!', ...touched } },
					},
				}),
				missingRecord: noList,
				effect: 'the list was renamed',
			},
		),
	];
}
