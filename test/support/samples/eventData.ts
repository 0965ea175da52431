import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { House } from '../house';
import { ask, byId } from './sample';
import type { Sample } from './sample';

/** The second record of a list, so that nothing passes only because it is the first. */
async function second(house: House, list: string): Promise<IDataObject> {
	const body = await ask<IDataObject[] | { data: IDataObject[] }>(house, 'eventData', `/${list}`);
	return (Array.isArray(body) ? body : body.data)[1]!;
}

const sample = (
	resource: string,
	operation: string,
	shows: Sample['shows'],
	parameters: Sample['parameters'] = () => ({}),
): Sample => ({ node: 'eventData', resource, operation, shows, parameters });

const one = (resource: string, more: INodeParameters = {}) => {
	const parameters: Sample['parameters'] = async (house) => ({
		[`${resource}Id`]: byId((await second(house, `${resource}s`)).id),
		...more,
	});
	return parameters;
};

/** Every operation of the event data node. */
export const eventDataSamples: Sample[] = [
	sample('attendee', 'get', 'email', one('attendee')),
	sample('attendee', 'getMany', 'email'),
	sample(
		'attendee',
		'update',
		{ company: "O'Neill & Søn" },
		one('attendee', { changes: { company: "O'Neill & Søn" } }),
	),
	sample('event', 'get', 'name', one('event')),
	sample('event', 'getMany', 'name'),
	sample('registration', 'create', 'registrationDate', async (house) => {
		const { id, eventId } = await second(house, 'attendees');
		return { eventId: byId(eventId), attendeeId: byId(id) };
	}),
	sample('registration', 'get', 'attendeeId', one('registration')),
	sample('registration', 'getMany', 'attendeeId'),
	sample(
		'registration',
		'update',
		{ status: 'cancelled' },
		one('registration', { changes: { status: 'cancelled' } }),
	),
	sample('session', 'create', { title: 'Opening' }, async (house) => ({
		eventId: byId((await second(house, 'events')).id),
		title: 'Opening',
		startTime: '2027-03-01T09:00:00Z',
		endTime: '2027-03-01T10:00:00Z',
	})),
	sample('session', 'get', 'title', one('session')),
	sample('session', 'getMany', 'title'),
	sample(
		'session',
		'update',
		{ title: 'Closing' },
		one('session', { changes: { title: 'Closing' } }),
	),
];
