import { resource } from '../../engine/operation';
import { getManyForEvent } from './getManyForEvent';
import { getManyForSession } from './getManyForSession';

export const attendance = resource({
	name: 'Attendance',
	description: 'Who checked in to an event or a session',
	operations: { getManyForEvent, getManyForSession },
	defaultOperation: 'getManyForEvent',
});
