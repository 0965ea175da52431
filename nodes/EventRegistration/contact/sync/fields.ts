import { field } from '../../../engine/field';
import { readText } from '../../../engine/values/texts';
import { textOf } from '../../form/readForm';
import { readChangeLimit } from './changeLimits';
import { readPlanText } from './digest';
import { EMAIL } from './plan';

const MODES = ['preview', 'apply'] as const;
const MISSING_POLICIES = ['leave', 'report', 'remove'] as const;
const SHOW = ['all', 'changes', 'summary'] as const;

/** Creates a reader of a choice. Any other value, such as one from an expression, means the first choice. */
const choice =
	<Choice extends string>(choices: readonly [Choice, ...Choice[]]) =>
	(raw: unknown): Choice =>
		choices.find((option) => option === raw) ?? choices[0];

export const matchBy = field({
	displayName: 'Match By Name or ID',
	name: 'matchBy',
	type: 'options',
	typeOptions: {
		loadOptionsMethod: 'getContactFormFields',
		loadOptionsDependsOn: ['contactListId.value', 'options.formKeys'],
	},
	default: EMAIL,
	description:
		'The form field by which items and contacts are matched: the email address, or a text such as a member number. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	readWhenBlank: true,
	read: (raw, _, label) => readText(raw, label)?.trim() || undefined,
});

export const email = field({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
	description: "Address of the contact. Required if 'Match By' is the email address.",
	readWhenBlank: true,
	read: (raw) => textOf(raw).trim() || undefined,
});

export const mode = field({
	displayName: 'Mode',
	name: 'mode',
	type: 'options',
	options: [
		{ name: 'Apply', value: 'apply', description: 'Write the changes' },
		{ name: 'Preview', value: 'preview', description: 'Only show what would be written' },
	],
	default: 'preview',
	description: 'Whether to write the changes or only show them',
	readWhenBlank: true,
	read: choice(MODES),
});

export const missingPolicy = field({
	displayName: 'Missing From Input',
	name: 'missing',
	type: 'options',
	options: [
		{ name: 'Leave', value: 'leave', description: 'Keep them, without an output' },
		{ name: 'Remove', value: 'remove', description: 'Remove them from the list' },
		{ name: 'Report', value: 'report', description: 'Keep them, and output them as missing' },
	],
	default: 'leave',
	description: 'How to handle contacts of the list that match no input item',
	readWhenBlank: true,
	read: choice(MISSING_POLICIES),
});

export const show = field({
	displayName: 'Show',
	name: 'show',
	type: 'options',
	options: [
		{ name: 'All Items', value: 'all', description: 'One item for each input item' },
		{
			name: 'Changes Only',
			value: 'changes',
			description: 'Without unchanged and duplicate items',
		},
		{ name: 'Summary', value: 'summary', description: 'One item with counts and examples' },
	],
	default: 'all',
	description: 'Which items to output',
	readWhenBlank: true,
	read: choice(SHOW),
});

export const expectedPlan = field({
	displayName: 'Expected Plan',
	name: 'expectedPlan',
	type: 'string',
	default: '',
	placeholder: "e.g. {{ $('Preview').first().json.plan }}",
	description:
		"The 'plan' of a preview. If something else would be written now, nothing is written and the node fails.",
	rejectBlank: true,
	read: (raw, _, label) => {
		const plan = readText(raw, label)?.trim();
		return plan ? readPlanText(plan) : undefined;
	},
});

const limit = <Name extends string>(displayName: string, name: Name, description: string) =>
	field({
		displayName,
		name,
		type: 'string',
		default: '10%',
		placeholder: 'e.g. 25 or 10%',
		description,
		rejectBlank: true,
		read: (raw, _, label) => (textOf(raw).trim() === '' ? undefined : readChangeLimit(raw, label)),
	});

export const maxRemovals = limit(
	'Stop If More Removals Than',
	'maxRemovals',
	'A number of contacts, or a percentage of the list. Nothing is written if more would be removed. Without this option, the limit is the larger of 5 contacts and 10%.',
);

export const maxChanges = limit(
	'Stop If More Changes Than',
	'maxChanges',
	'A number of contacts, or a percentage of the list. Nothing is written if more would be added or changed. A percentage does not limit an empty list. Without this option, there is no limit.',
);
