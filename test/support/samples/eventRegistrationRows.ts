import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { demoIds, mapperValue } from '../../nodes/EventRegistration/demoIds';
import type { Rig } from '../sandboxRig';
import { sendDirectly, NO_CHANGES } from './sample';
import type { Sample, MissingRecord } from './sample';

/** Values of records that depend on the demo data. */
export interface DemoRecordIds {
	contactId: number;
	contactEmail: string;
	registrationEmail: string;
	transactionId: number;
}

const demoRecordsByRig = new WeakMap<Rig, Promise<DemoRecordIds>>();

/** Finds these records by direct requests instead of the node. They are the same after every reset. */
export async function findDemoRecords(rig: Rig): Promise<DemoRecordIds> {
	const demoRecords = demoRecordsByRig.get(rig) ?? requestDemoRecords(rig);
	demoRecordsByRig.set(rig, demoRecords);
	return await demoRecords;
}

async function requestDemoRecords(rig: Rig): Promise<DemoRecordIds> {
	const readPath = async (path: string) =>
		await sendDirectly<IDataObject>(rig, 'eventRegistration', `/api/v1/${path}`);
	const readFirst = async (path: string) => Object.values(await readPath(`${path}?pageSize=1`))[0];
	const { ContactId, Email } = (await readFirst(
		`contactlists/${demoIds.contactListId}/contacts`,
	)) as IDataObject;
	const { TransactionId } = (await readFirst('transactions')) as IDataObject;
	const registration = await readPath(
		`events/${demoIds.eventId}/registrations/${demoIds.registrationId}`,
	);
	return {
		contactId: ContactId as number,
		contactEmail: Email as string,
		registrationEmail: registration.Email as string,
		transactionId: TransactionId as number,
	};
}

/** A sample with constant parameters. */
export type Row = Omit<Sample, 'node' | 'parameters'> & { parameters: INodeParameters };

export const person = { FirstName: 'Zoë', LastName: "O'Brien", Email: 'zoe.obrien@example.com' };
/** Every write updates this field. */
export const anyLastUpdated = { LastUpdated: expect.any(String) as string };

/** Sample of an operation that changes nothing. */
export const readSample = (
	resource: string,
	operation: string,
	output: string,
	parameters: INodeParameters,
	missingRecord: MissingRecord | 'takes no id',
): Row => ({ resource, operation, output, parameters, changes: NO_CHANGES, missingRecord });

/** Sample of an operation that changes something. */
export const writeSample = (
	resource: string,
	operation: string,
	output: Sample['output'],
	parameters: INodeParameters,
	details: Omit<Row, 'resource' | 'operation' | 'output' | 'parameters'>,
): Row => ({ resource, operation, output, parameters, ...details });

/** A person unknown to the service, and values of a form: the whole person, the name alone, a new name. */
export const newcomer = { ...person, Email: 'new.person@example.com' };
export const newName = { FirstName: person.FirstName, LastName: person.LastName };
export const personDetails = { details: mapperValue(person) };
export const nameDetails = { details: mapperValue(newName) };
export const lastNameChange = { details: mapperValue({ LastName: 'Øster' }) };

/** Values for a service that returns the same response to every request. */
export const anyIds: DemoRecordIds = {
	contactId: 5,
	contactEmail: 'somebody@example.com',
	registrationEmail: 'somebody@example.com',
	transactionId: 6,
};
