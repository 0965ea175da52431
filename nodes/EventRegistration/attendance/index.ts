import { resource } from '../../engine/operation';
import { getManyForEvent } from './getManyForEvent';
import { getManyForSession } from './getManyForSession';
import { getMissing } from './getMissing';

export const attendance = resource({
	name: 'Attendance',
	description: 'Who checked in to an event or a session, and who did not',
	operations: { getManyForEvent, getManyForSession, getMissing },
	defaultOperation: 'getManyForEvent',
});
