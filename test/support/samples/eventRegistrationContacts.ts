import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { demoIds } from '../../nodes/EventRegistration/demoIds';
import { locateById } from '../locators';
import type { Rig } from '../sandboxRig';
import {
	lastNameChange,
	personDetails,
	findDemoRecords,
	newName,
	nameDetails,
	newcomer,
	person,
	readSample,
	anyLastUpdated,
	writeSample,
} from './eventRegistrationRows';
import type { DemoRecordIds, Row } from './eventRegistrationRows';
import { sendDirectly } from './sample';
import type { Changes } from './sample';

const list = { contactListId: locateById(demoIds.contactListId) };
const changedList = { contactLists: { [demoIds.contactListId]: anyLastUpdated } };
const missingList = {
	parameters: { contactListId: locateById(9999) },
	expected: /There is no contact list 9999/,
};
const missingContact = {
	parameters: { contactId: locateById(1) },
	expected: /There is no contact 1 /,
};

const readLocatorId = (parameters: INodeParameters, name: string) =>
	(parameters[name] as ReturnType<typeof locateById>).value;

/** Returns the changes of deleting the list with all its contacts. */
async function findDeletedRecords(rig: Rig): Promise<Changes> {
	const path = `/api/v1/contactlists/${demoIds.contactListId}/contacts?pageSize=200`;
	const contacts = await sendDirectly<IDataObject[]>(rig, 'eventRegistration', path);
	return {
		removed: {
			contactLists: [`${demoIds.contactListId}`],
			contacts: contacts.map(({ ContactId }) => `${ContactId as number}`),
		},
	};
}

/** Returns a sample row for every operation on contacts and contact lists. */
export function contactSamples(demoRecords: DemoRecordIds): Row[] {
	const contact = { ...list, contactId: locateById(demoRecords.contactId) };
	const { Email: email } = newcomer;
	return [
		writeSample(
			'contact',
			'add',
			'ContactListId',
			{ ...list, ...personDetails },
			{
				changes: () => ({
					added: { contacts: [expect.objectContaining(person)] },
					changed: changedList,
				}),
				missingRecord: missingList,
				effect: 'these contacts were added',
			},
		),
		writeSample(
			'contact',
			'createOrUpdate',
			{ created: true },
			{ ...list, email, ...nameDetails },
			{
				variant: 'of a new person',
				changes: () => ({
					added: { contacts: [expect.objectContaining(newcomer)] },
					changed: changedList,
				}),
				missingRecord: missingList,
				effect: 'the contact was added',
			},
		),
		writeSample(
			'contact',
			'createOrUpdate',
			{ created: false },
			{ ...list, email: demoRecords.contactEmail, ...nameDetails },
			{
				variant: 'of a known person',
				changes: async (rig) => ({
					changed: {
						contacts: {
							[(await findDemoRecords(rig)).contactId]: { ...newName, ...anyLastUpdated },
						},
					},
				}),
				missingRecord: missingList,
				effect: 'the contact was changed',
			},
		),
		readSample('contact', 'get', 'ContactId', contact, missingContact),
		readSample('contact', 'getForm', 'caption', list, missingList),
		readSample('contact', 'getMany', 'ContactId', list, missingList),
		writeSample('contact', 'remove', { deleted: true }, contact, {
			changes: (_, parameters) => ({
				removed: { contacts: [readLocatorId(parameters, 'contactId')] },
				changed: changedList,
			}),
			missingRecord: missingContact,
		}),
		readSample('contact', 'search', 'ContactId', list, missingList),
		writeSample(
			'contact',
			'sync',
			{ change: 'created', applied: true },
			{ ...list, email, ...nameDetails, mode: 'apply' },
			{
				variant: 'of a new person',
				changes: () => ({
					added: { contacts: [expect.objectContaining(newcomer)] },
					changed: changedList,
				}),
				missingRecord: missingList,
				effect: 'these contacts were added',
				outputIfResponseLost: { change: 'uncertain', applied: null },
				handlesItemsTogether: true,
			},
		),
		writeSample(
			'contact',
			'sync',
			{ change: 'updated', applied: true },
			{ ...list, email: demoRecords.contactEmail, ...nameDetails, mode: 'apply' },
			{
				variant: 'of a known person',
				changes: async (rig) => ({
					changed: {
						contacts: {
							[(await findDemoRecords(rig)).contactId]: { ...newName, ...anyLastUpdated },
						},
					},
				}),
				missingRecord: missingList,
				effect: 'the contact was changed',
				outputIfResponseLost: { change: 'uncertain', applied: null },
				handlesItemsTogether: true,
			},
		),
		writeSample(
			'contact',
			'update',
			'ContactId',
			{ ...contact, ...lastNameChange },
			{
				changes: (_, parameters) => ({
					changed: {
						contacts: {
							[readLocatorId(parameters, 'contactId')]: { LastName: 'Øster', ...anyLastUpdated },
						},
					},
				}),
				missingRecord: missingContact,
				effect: 'the contact was changed',
			},
		),
		writeSample(
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
		writeSample('contactList', 'delete', { deleted: true }, list, {
			changes: findDeletedRecords,
			missingRecord: missingList,
		}),
		readSample('contactList', 'get', 'ContactCount', list, missingList),
		readSample('contactList', 'getMany', 'ContactListId', {}, 'takes no id'),
		writeSample(
			'contactList',
			'update',
			{ Name: 'Speakers!' },
			{ ...list, name: 'Speakers!' },
			{
				changes: () => ({
					changed: {
						contactLists: { [demoIds.contactListId]: { Name: 'Speakers!', ...anyLastUpdated } },
					},
				}),
				missingRecord: missingList,
				effect: 'the list was renamed',
			},
		),
	];
}
