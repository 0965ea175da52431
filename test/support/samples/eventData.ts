import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { locateById } from '../locators';
import type { Rig } from '../sandboxRig';
import { sendDirectly, NO_CHANGES, samplesOf } from './sample';
import type { Changes, Sample } from './sample';

/** Returns the second record of a list: a test with the first could pass by accident. */
async function secondRecord(rig: Rig, list: string): Promise<IDataObject> {
	const body = await sendDirectly<IDataObject[] | { data: IDataObject[] }>(
		rig,
		'eventData',
		`/${list}`,
	);
	return (Array.isArray(body) ? body : body.data)[1]!;
}

const sample = samplesOf('eventData');

const listSample = (resource: string, output: Sample['output']) =>
	sample(resource, 'getMany', output, () => ({}), {
		changes: NO_CHANGES,
		missingRecord: 'takes no id',
	});

interface RecordSample {
	output: Sample['output'];
	/** Parameters besides the ID. */
	parameters?: INodeParameters;
	/** Returns the expected changes at the service; missing for an operation that only reads. */
	changes?: (id: string) => Changes;
}

/** Sample of an operation on the second record of its kind. */
const recordSample = (
	resource: string,
	operation: string,
	{ output, parameters: extraParameters, changes }: RecordSample,
) => {
	const field = `${resource}Id`;
	const readId = (parameters: INodeParameters) =>
		(parameters[field] as ReturnType<typeof locateById>).value;
	const unknownId = { attendee: 'att_1', event: 'evt_1', registration: 'reg_1', session: 'ses_1' }[
		resource
	];
	return sample(
		resource,
		operation,
		output,
		async (rig) => ({
			[field]: locateById((await secondRecord(rig, `${resource}s`)).id),
			...extraParameters,
		}),
		{
			changes: changes ? (_, parameters) => changes(readId(parameters)) : NO_CHANGES,
			missingRecord: {
				parameters: { [field]: locateById(unknownId) },
				expected: new RegExp(`${resource} ${unknownId} was not found`, 'i'),
			},
		},
	);
};

/** Sample of an update of the second record of its kind that changes these fields and no others. */
const updateSample = (resource: string, values: INodeParameters) =>
	recordSample(resource, 'update', {
		output: values,
		parameters: { changes: values },
		changes: (id) => ({ changed: { [`${resource}s`]: { [id]: values } } }),
	});

export const eventDataSamples: Sample[] = [
	recordSample('attendee', 'get', { output: 'email' }),
	listSample('attendee', 'email'),
	updateSample('attendee', { company: "O'Neill & Søn" }),
	recordSample('event', 'get', { output: 'name' }),
	listSample('event', 'name'),
	sample(
		'registration',
		'create',
		'registrationDate',
		async (rig) => {
			const { id, eventId } = await secondRecord(rig, 'attendees');
			return { eventId: locateById(eventId), attendeeId: locateById(id) };
		},
		{
			changes: async (rig) => {
				const { id, eventId } = await secondRecord(rig, 'attendees');
				const newRegistration = { eventId, attendeeId: id, status: 'pending' };
				return { added: { registrations: [expect.objectContaining(newRegistration)] } };
			},
			missingRecord: {
				parameters: { attendeeId: locateById('att_1') },
				expected: /there is no attendee att_1/,
			},
			effect: 'the registration was created',
		},
	),
	recordSample('registration', 'get', { output: 'attendeeId' }),
	listSample('registration', 'attendeeId'),
	updateSample('registration', { status: 'cancelled' }),
	sample(
		'session',
		'create',
		{ title: 'Opening' },
		async (rig) => ({
			eventId: locateById((await secondRecord(rig, 'events')).id),
			title: 'Opening',
			startTime: '2027-03-01T09:00:00Z',
			endTime: '2027-03-01T10:00:00Z',
		}),
		{
			changes: async (rig) => {
				const newSession = {
					eventId: (await secondRecord(rig, 'events')).id,
					title: 'Opening',
					startTime: '2027-03-01T09:00:00.000Z',
					endTime: '2027-03-01T10:00:00.000Z',
				};
				return { added: { sessions: [expect.objectContaining(newSession)] } };
			},
			missingRecord: {
				parameters: { eventId: locateById('evt_1') },
				expected: /there is no event evt_1/,
			},
			effect: 'the session was created',
		},
	),
	recordSample('session', 'get', { output: 'title' }),
	listSample('session', 'title'),
	updateSample('session', { title: 'עברית "quoted" 🎟️' }),
];
