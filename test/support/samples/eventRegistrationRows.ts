import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { known, mapped } from '../../nodes/EventRegistration/samples';
import type { Rig } from '../sandboxRig';
import { sendDirectly, NO_CHANGES } from './sample';
import type { Sample, MissingRecord } from './sample';

/** Values of records that depend on the demo data. */
export interface Found {
	contactId: number;
	contactEmail: string;
	registrationEmail: string;
	transactionId: number;
}

const foundByRig = new WeakMap<Rig, Promise<Found>>();

/** Finds those records, the same after every reset, by direct requests instead of the node. */
export async function find(rig: Rig): Promise<Found> {
	const found = foundByRig.get(rig) ?? lookUp(rig);
	foundByRig.set(rig, found);
	return await found;
}

async function lookUp(rig: Rig): Promise<Found> {
	const read = async (path: string) =>
		await sendDirectly<IDataObject>(rig, 'eventRegistration', `/api/v1/${path}`);
	const first = async (path: string) => Object.values(await read(`${path}?pageSize=1`))[0];
	const { ContactId, Email } = (await first(
		`contactlists/${known.contactListId}/contacts`,
	)) as IDataObject;
	const { TransactionId } = (await first('transactions')) as IDataObject;
	const registered = await read(`events/${known.eventId}/registrations/${known.registrationId}`);
	return {
		contactId: ContactId as number,
		contactEmail: Email as string,
		registrationEmail: registered.Email as string,
		transactionId: TransactionId as number,
	};
}

/** A sample with constant parameters. */
export type Row = Omit<Sample, 'node' | 'parameters'> & { parameters: INodeParameters };

export const person = { FirstName: 'Zoë', LastName: "O'Brien", Email: 'zoe.obrien@example.com' };
/** Every write updates this field. */
export const touched = { LastUpdated: expect.any(String) as string };

/** Sample of an operation that changes nothing. */
export const read = (
	resource: string,
	operation: string,
	output: string,
	parameters: INodeParameters,
	missingRecord: MissingRecord | 'takes no id',
): Row => ({ resource, operation, output, parameters, changes: NO_CHANGES, missingRecord });

/** Sample of an operation that changes something. */
export const write = (
	resource: string,
	operation: string,
	output: Sample['output'],
	parameters: INodeParameters,
	more: Omit<Row, 'resource' | 'operation' | 'output' | 'parameters'>,
): Row => ({ resource, operation, output, parameters, ...more });

/** A person unknown to the service, and values of a form: the whole person, the name alone, a new name. */
export const newcomer = { ...person, Email: 'new.person@example.com' };
export const name = { FirstName: person.FirstName, LastName: person.LastName };
export const details = { details: mapped(person) };
export const named = { details: mapped(name) };
export const changes = { details: mapped({ LastName: 'Øster' }) };

/** For a service that returns the same response to every request. */
export const anyIds: Found = {
	contactId: 5,
	contactEmail: 'somebody@example.com',
	registrationEmail: 'somebody@example.com',
	transactionId: 6,
};
