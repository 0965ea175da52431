import { resource } from '../../engine/operation';
import { cancel } from './cancel';
import { check } from './check';
import { confirm } from './confirm';
import { get } from './get';
import { issue } from './issue';
import { updateStatus } from './updateStatus';
import { waitUntilFinished } from './waitUntilFinished';

export const scopeJob = resource({
	name: 'Scope Job',
	description: 'A request for information that a person answers on their phone',
	operations: { cancel, check, confirm, get, issue, updateStatus, waitUntilFinished },
	defaultOperation: 'issue',
});
