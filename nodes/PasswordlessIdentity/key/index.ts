import { resource } from '../../engine/operation';
import { check } from './check';
import { get } from './get';
import { register } from './register';
import { replace } from './replace';
import { revoke } from './revoke';
import { revokeByContact } from './revokeByContact';
import { update } from './update';

export const key = resource({
	name: 'Key',
	description: 'The public key of a person or an application, known by its fingerprint',
	operations: { check, get, register, replace, revoke, revokeByContact, update },
	defaultOperation: 'get',
});
