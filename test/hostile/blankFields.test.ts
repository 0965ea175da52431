// Protects workflows whose expression returns a blank: a required field is reported as missing, and no request is sent.
import type { INodeParameters } from 'n8n-workflow';

import { locateById } from '../support/locators';
import { useRig } from '../support/sandboxRig';

const rig = useRig();

const times = { startTime: '2026-12-01T09:00:00Z', endTime: '2026-12-01T10:00:00Z' };
const phone = { phoneNumber: '+12025550143' };

/** Required fields, each with an operation that lacks only this field: label, name, node and parameters. */
const requiredFields: Array<[string, string, string, INodeParameters]> = [
	['Callback', 'callback', 'passwordlessIdentity', { resource: 'login', operation: 'complete' }],
	[
		"Person's Key Fingerprint",
		'subject',
		'passwordlessIdentity',
		{ resource: 'scopeJob', operation: 'issue' },
	],
	['Job ID', 'job', 'passwordlessIdentity', { resource: 'scopeJob', operation: 'get' }],
	['Fingerprint', 'fingerprint', 'passwordlessIdentity', { resource: 'key', operation: 'get' }],
	['Email', 'email', 'twoFactor', { resource: 'user', operation: 'enroll', ...phone }],
	[
		'Message',
		'message',
		'twoFactor',
		{ resource: 'approvalRequest', operation: 'create', twofactorId: '100001' },
	],
	[
		'Title',
		'title',
		'eventData',
		{ resource: 'session', operation: 'create', eventId: locateById('evt_1004'), ...times },
	],
	['Name', 'name', 'eventRegistration', { resource: 'contactList', operation: 'create' }],
];

describe.each(requiredFields)('the required field %s', (label, name, node, parameters) => {
	it.each(['', '  ', ' \n\t', '\u00a0'])(
		'is reported as missing if its value is %j',
		async (blank) => {
			const { error } = await rig.run(node, { ...parameters, [name]: '={{ $json.blank }}' }, [
				{ blank },
			]);
			expect(error?.message).toBe(`'${label}' is missing`);
			expect(rig.sandbox.requestLog.entries()).toEqual([]);
		},
	);
});
