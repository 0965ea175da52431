import type { Lab } from '../../../lab/lab';
import type { Editor } from '../support/editor';
import type { NewcomerActions } from './newcomerActions';

/** A mistake that newcomers make in a node, and the message that they must get. */
export interface Mistake {
	title: string;
	node: 'Two-Factor' | 'Event Registration';
	resource: string;
	operation: string;
	make(person: { newcomer: NewcomerActions; editor: Editor; lab: Lab }): Promise<void>;
	/** Parts of the shown error: what is wrong, and how to correct it. */
	expectedMessage: string;
	expectedAdvice: string;
}

const sendBySms = {
	node: 'Two-Factor',
	resource: 'One-Time Code',
	operation: 'Send by SMS',
} as const;
const registration = { node: 'Event Registration', resource: 'Registration' } as const;

/** Grouped by node, so that each node's panel is opened once. */
export const mistakes: Mistake[] = [
	{
		...sendBySms,
		title: 'a phone number where an ID belongs',
		make: async ({ newcomer }) => await newcomer.typeId('twofactorId', '+1 202 555 0143'),
		expectedMessage: '\'User ID\' must be a number, not "+1 202 555 0143"',
		expectedAdvice: 'To send a code to a phone number, use Phone Verification: Start.',
	},
	{
		...sendBySms,
		title: 'an ID with a typo',
		make: async ({ newcomer }) => await newcomer.typeId('twofactorId', '100999'),
		expectedMessage: 'Two-factor service: User not found',
		expectedAdvice: "Check 'User ID': use the twofactor_id that Enroll returned.",
	},
	{
		...sendBySms,
		title: 'an expression without a value',
		make: async ({ newcomer }) =>
			await newcomer.typeExpression('User ID', '{{ $json.twofactor_id }}'),
		expectedMessage: "'User ID' is missing",
		expectedAdvice: 'If it comes from an expression, check that the previous node returns it.',
	},
	{
		node: 'Two-Factor',
		resource: 'User',
		operation: 'Enroll',
		title: 'an email address without @',
		make: async ({ newcomer, lab }) =>
			await newcomer.type({
				Email: 'robin.example.com',
				'Phone Number': lab.sandbox.demo.user.phone,
			}),
		expectedMessage: 'email is invalid',
		expectedAdvice: 'Check the email address',
	},
	{
		node: 'Two-Factor',
		resource: 'Approval Request',
		operation: 'Create',
		title: 'a trigger whose workflow is not published',
		make: async ({ newcomer, editor: { panel }, lab }) => {
			await panel.pick('twofactorId', lab.sandbox.demo.manager.name);
			await newcomer.type({ Message: 'Is anyone listening?' });
			await panel.addOption('triggerUrl', 'Trigger');
			await newcomer.pasteUrl('Trigger', `${lab.n8nUrl}/webhook/0f4c2a31/watch`);
		},
		expectedMessage: "The trigger at this URL isn't running: publish its workflow",
		expectedAdvice: 'Choose the trigger from the list',
	},
	{
		...registration,
		operation: 'Create',
		title: 'a required field of the form left empty',
		make: async ({ newcomer, editor: { panel } }) => {
			await panel.pick('eventId', 'Developer Relations Retreat');
			await panel.waitForLabel('First name');
			await newcomer.type({
				'First name': 'Noor',
				'Last name': 'Haddad',
				'Email address': 'noor@example.com',
			});
		},
		expectedMessage: 'The Company or organization field is required.',
		expectedAdvice: '',
	},
	{
		...registration,
		operation: 'Create',
		title: 'an email address without @ in the form',
		make: async ({ newcomer }) =>
			await newcomer.type({
				'Email address': 'noor.example.com',
				'Company or organization': 'Haddad & Sons',
				'Country of residence': 'Lebanon',
			}),
		expectedMessage: 'The Email address field is not a valid email address.',
		expectedAdvice: '',
	},
	{
		...registration,
		operation: 'Get Many',
		title: 'a date that can be read in two ways',
		make: async ({ newcomer, editor: { panel } }) => {
			await panel.addOption('changedAfter', 'Changed After');
			await newcomer.typeExpression('Changed After', '11/12/2026');
		},
		expectedMessage: 'it\'s unclear which number in "11/12/2026" is the month',
		expectedAdvice: 'Write the year first, for example 2026-11-30',
	},
	{
		...registration,
		operation: 'Update',
		title: 'an update without fields',
		make: async ({ editor: { panel } }) => await panel.pick('registrationId', 'Viktor Ljung'),
		expectedMessage: 'No fields to update',
		expectedAdvice: "Add at least one field under 'Update Fields' and give it a value.",
	},
	{
		node: 'Event Registration',
		resource: 'Event',
		operation: 'Get',
		title: 'an event that does not exist',
		make: async ({ newcomer }) => await newcomer.typeId('eventId', '9999'),
		expectedMessage: 'Event registration service',
		expectedAdvice: 'Check the ID',
	},
];
