import { resource } from '../../engine/operation';
import { get } from './get';
import { getMany } from './getMany';

export const registrationType = resource({
	name: 'Registration Type',
	description: 'A kind of registration, such as attendee, speaker or student',
	operations: { get, getMany },
	defaultOperation: 'getMany',
});
