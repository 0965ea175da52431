import type { INodeParameters } from 'n8n-workflow';

import { demoIds, mapperValue } from '../nodes/EventRegistration/demoIds';
import { locateById } from '../support/locators';
import { samples } from '../support/samples';
import type { Sample } from '../support/samples/sample';
import type { Rig } from '../support/sandboxRig';

/** One run of an operation whose output is checked. */
export type OutputVariant = Pick<
	Sample,
	'node' | 'resource' | 'operation' | 'variant' | 'parameters' | 'credential' | 'actMeanwhile'
>;

const findSample = (
	node: string,
	resource: string,
	operation: string,
	variant?: string,
): Sample => {
	const matchingSample = samples.find(
		(sample) =>
			sample.node === node &&
			sample.resource === resource &&
			sample.operation === operation &&
			(variant === undefined || sample.variant === variant),
	);
	if (!matchingSample) throw new Error(`There is no sample of ${node} ${resource} ${operation}`);
	return matchingSample;
};

/** Returns a sample with other parameters, in a sandbox that `prepare` changes. */
const withChanges = (
	sample: Sample,
	variant: string,
	extraParameters: INodeParameters = {},
	prepare: (rig: Rig) => unknown = () => undefined,
): OutputVariant => ({
	...sample,
	variant,
	parameters: async (rig) => {
		prepare(rig);
		const sampleParameters = await sample.parameters(rig);
		const options = Object.assign(
			{},
			sampleParameters.options,
			extraParameters.options,
		) as INodeParameters;
		return { ...sampleParameters, ...extraParameters, options };
	},
});

const identity = (resource: string, operation: string, variant?: string) =>
	findSample('passwordlessIdentity', resource, operation, variant);
const twoFactor = (resource: string, operation: string, variant?: string) =>
	findSample('twoFactor', resource, operation, variant);
const registration = (resource: string, operation: string) =>
	findSample('eventRegistration', resource, operation);

const withoutVerification = { options: { verify: false } };
const returnUnsignedClaims = ({ sandbox }: Rig) => {
	sandbox.settings.passwordlessIdentity.scopeCompleted = 'claims';
};
const returnLoginStatus = ({ sandbox }: Rig) => {
	sandbox.settings.passwordlessIdentity.loginAnswer = 'json';
};
const returnLongForm = ({ sandbox }: Rig) => {
	sandbox.settings.eventRegistration.formShape = 'array';
};
/** Parameters for a user who has the app, to whom the service sends no message. */
const withApp = { twofactorId: '100002', options: { force: false } };

/** Results of operations besides those of their samples: rejections, unverified results, forms with more details. */
export const outputVariants: OutputVariant[] = [
	withChanges(identity('login', 'complete'), 'without verification', withoutVerification),
	withChanges(identity('login', 'complete'), 'without a token', {}, returnLoginStatus),
	withChanges(identity('scopeJob', 'get'), 'without verification', withoutVerification),
	withChanges(
		identity('scopeJob', 'issue', 'and wait'),
		'without verification',
		withoutVerification,
	),
	withChanges(identity('scopeJob', 'issue', 'and wait'), 'unsigned', {}, returnUnsignedClaims),
	withChanges(
		identity('scopeJob', 'waitUntilFinished'),
		'without verification',
		withoutVerification,
	),
	withChanges(identity('scopeJob', 'waitUntilFinished'), 'unsigned', {}, returnUnsignedClaims),
	{
		...withChanges(identity('scopeJob', 'get', 'outstanding'), 'outstanding'),
		operation: 'check',
	},
	withChanges(twoFactor('oneTimeCode', 'sendByCall'), 'not sent', withApp),
	withChanges(twoFactor('oneTimeCode', 'sendBySms'), 'not sent', withApp),
	withChanges(twoFactor('oneTimeCode', 'verify'), 'wrong', { code: '0000000' }),
	withChanges(twoFactor('phoneVerification', 'check'), 'wrong', { code: '000000' }),
	withChanges({ ...twoFactor('approvalRequest', 'waitForDecision'), operation: 'get' }, 'decided'),
	withChanges(twoFactor('approvalRequest', 'sendAndWait'), 'several people', {
		decidedBy: 'severalPeople',
		levels: { level: [{ people: '100001' }] },
	}),
	withChanges(findSample('eventData', 'session', 'create'), 'with capacity', {
		additionalFields: { capacity: 40 },
	}),
	withChanges(findSample('eventData', 'attendee', 'getMany'), 'all', { returnAll: true }),
	{
		...findSample('eventData', 'attendee', 'get'),
		variant: 'checked-in attendee',
		parameters: () => ({ attendeeId: locateById('att_2000006') }),
	},
	{
		...findSample('eventData', 'attendee', 'update'),
		variant: 'checked-in attendee',
		parameters: () => ({
			attendeeId: locateById('att_2000006'),
			changes: { company: 'Tarnvale' },
		}),
	},
	withChanges(registration('attendance', 'getManyForEvent'), 'all', { returnAll: true }),
	withChanges(registration('attendance', 'getManyForSession'), 'all', { returnAll: true }),
	withChanges(registration('contact', 'getForm'), 'long form', {}, returnLongForm),
	withChanges(registration('registration', 'getForm'), 'long form', {}, returnLongForm),
	withChanges(registration('contact', 'add'), 'with a custom field', {
		contactListId: locateById(demoIds.contactListId),
		details: mapperValue({ Email: 'zoe@example.com', Country: 'Sweden' }),
	}),
];
