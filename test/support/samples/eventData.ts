import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Rig } from '../sandboxRig';
import { ask, byId, NOTHING, samplesOf } from './sample';
import type { Changes, Sample } from './sample';

/** Returns the second record of a list: a test with the first could pass by accident. */
async function second(rig: Rig, list: string): Promise<IDataObject> {
	const body = await ask<IDataObject[] | { data: IDataObject[] }>(rig, 'eventData', `/${list}`);
	return (Array.isArray(body) ? body : body.data)[1]!;
}

const sample = samplesOf('eventData');

const list = (resource: string, shows: Sample['shows']) =>
	sample(resource, 'getMany', shows, () => ({}), { changes: NOTHING, unknown: 'takes no id' });

/** Sample of an operation on the second record of its kind. */
const one = (
	resource: string,
	operation: string,
	shows: Sample['shows'],
	more: INodeParameters = {},
	changes?: (id: string) => Changes,
) => {
	const field = `${resource}Id`;
	const idIn = (parameters: INodeParameters) =>
		(parameters[field] as ReturnType<typeof byId>).value;
	const parameters: Sample['parameters'] = async (rig) => ({
		[field]: byId((await second(rig, `${resource}s`)).id),
		...more,
	});
	const nobody = { attendee: 'att_1', event: 'evt_1', registration: 'reg_1', session: 'ses_1' }[
		resource
	];
	return sample(resource, operation, shows, parameters, {
		changes: changes ? (_, given) => changes(idIn(given)) : NOTHING,
		unknown: {
			parameters: { [field]: byId(nobody) },
			says: new RegExp(`${resource} ${nobody} was not found`, 'i'),
		},
	});
};

/** Sample of an update of the second record of its kind that changes these fields and no others. */
const update = (resource: string, values: INodeParameters) =>
	one(resource, 'update', values, { changes: values }, (id) => ({
		changed: { [`${resource}s`]: { [id]: values } },
	}));

export const eventDataSamples: Sample[] = [
	one('attendee', 'get', 'email'),
	list('attendee', 'email'),
	update('attendee', { company: "O'Neill & Søn" }),
	one('event', 'get', 'name'),
	list('event', 'name'),
	sample(
		'registration',
		'create',
		'registrationDate',
		async (rig) => {
			const { id, eventId } = await second(rig, 'attendees');
			return { eventId: byId(eventId), attendeeId: byId(id) };
		},
		{
			changes: async (rig) => {
				const { id, eventId } = await second(rig, 'attendees');
				const made = { eventId, attendeeId: id, status: 'pending' };
				return { added: { registrations: [expect.objectContaining(made)] } };
			},
			unknown: {
				parameters: { attendeeId: byId('att_1') },
				says: /there is no attendee att_1/,
			},
			effect: 'the registration was created',
		},
	),
	one('registration', 'get', 'attendeeId'),
	list('registration', 'attendeeId'),
	update('registration', { status: 'cancelled' }),
	sample(
		'session',
		'create',
		{ title: 'Opening' },
		async (rig) => ({
			eventId: byId((await second(rig, 'events')).id),
			title: 'Opening',
			startTime: '2027-03-01T09:00:00Z',
			endTime: '2027-03-01T10:00:00Z',
		}),
		{
			changes: async (rig) => {
				const made = {
					eventId: (await second(rig, 'events')).id,
					title: 'Opening',
					startTime: '2027-03-01T09:00:00.000Z',
					endTime: '2027-03-01T10:00:00.000Z',
				};
				return { added: { sessions: [expect.objectContaining(made)] } };
			},
			unknown: { parameters: { eventId: byId('evt_1') }, says: /there is no event evt_1/ },
			effect: 'the session was created',
		},
	),
	one('session', 'get', 'title'),
	list('session', 'title'),
	update('session', { title: 'עברית "quoted" 🎟️' }),
];
