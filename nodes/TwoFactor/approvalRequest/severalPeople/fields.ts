import type { INodeProperties } from 'n8n-workflow';

import { BadInput } from '../../../engine/errors';
import { field, shownIf } from '../../../engine/field';
import type { Field } from '../../../engine/field';
import { booleanReader } from '../../../engine/values/convert';
import { userLocator } from '../../fields';
import { readPersonId } from './personIds';
import { toMs } from './resolvePolicy';

const USER_IDS =
	"User IDs, separated by commas or line breaks, or names that the credential has in 'People'. An expression can give a list of IDs, or of objects with id and name.";

const UNITS: INodeProperties['options'] = [
	{ name: 'Days', value: 'days' },
	{ name: 'Hours', value: 'hours' },
	{ name: 'Minutes', value: 'minutes' },
];

/** Allows no expression: data must not choose whether several people decide. */
export const decidedBy = field({
	displayName: 'Decided By',
	name: 'decidedBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'One Person', value: 'onePerson', description: 'One user is asked' },
		{
			name: 'Several People',
			value: 'severalPeople',
			description: 'Several users are asked, in one level or in several, one after the other',
		},
	],
	default: 'onePerson',
});

/**
 * Whether several people decide. Throws for a value that is not known, because one person must not decide instead of several.
 * n8n 2.41.1 takes the text of an expression as the value (`noDataExpression` in n8n-workflow's node-helpers), and an older n8n
 * may evaluate it.
 */
export function isBySeveralPeople(value: string | undefined): boolean {
	if (value === 'severalPeople') return true;
	if (value === 'onePerson') return false;
	throw new BadInput(
		`'${decidedBy.displayName}' must be 'One Person' or 'Several People'`,
		`Choose one of them in '${decidedBy.displayName}'. An expression can't choose it. Nothing was sent.`,
	);
}

const SEVERAL = { decidedBy: ['severalPeople'] };

/** Returns a copy of a field that is hidden if several people decide. The hidden field may have no value. */
export const unlessSeveral = <Name extends string, Value>(
	base: Field<Name, Value>,
): Field<Name, Value | undefined> => ({
	...base,
	displayOptions: { ...base.displayOptions, hide: SEVERAL },
});

/** The fields of a level, in the order in which a user fills them in. */
const levelFields: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Finance',
		description: 'Shown on the phone and in the output',
	},
	{
		displayName: 'People',
		name: 'people',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. 100001, 100002',
		description: `Up to ten ${USER_IDS}`,
	},
	{
		displayName: 'Approvals Needed',
		name: 'needed',
		type: 'options',
		options: [
			{ name: 'A Number', value: 'number' },
			{ name: 'All of Them', value: 'all' },
			{ name: 'Any One', value: 'any' },
		],
		default: 'all',
		description: 'How many of the people must approve',
	},
	{
		displayName: 'Number of Approvals',
		name: 'neededNumber',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: 1,
		displayOptions: { show: { needed: ['number'] } },
	},
	{
		displayName: 'Deputies',
		name: 'deputies',
		type: 'string',
		default: '',
		placeholder: 'e.g. 100003',
		description: `Up to ten ${USER_IDS} They are asked as well if the level is undecided after 'Ask Deputies After'. The number of approvals needed stays the same.`,
	},
	{
		displayName: 'Ask Deputies After',
		name: 'deputiesAfter',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 60,
		description:
			"They are asked at the earliest after this time, up to six minutes later. Ignored without 'Deputies'.",
	},
	{
		displayName: 'Unit',
		name: 'deputiesAfterUnit',
		type: 'options',
		options: UNITS,
		default: 'minutes',
	},
	{
		displayName: 'Skip If',
		name: 'skipIf',
		type: 'boolean',
		default: false,
		description:
			'Whether to leave this level out for an item, by an expression that gives true or false, such as a comparison of an amount with 500. Only true skips the level: if a field is misspelled, the level is asked.',
	},
];

const levelList = field({
	displayName: 'Levels',
	name: 'levels',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	default: {},
	placeholder: 'Add level',
	description: 'Each level is asked when the one before it has approved',
	options: [{ displayName: 'Level', name: 'level', values: levelFields }],
	read: (raw) => raw,
});

/** The levels. They are checked together with the options, by `resolvePolicy`. */
export const levels = shownIf(levelList, SEVERAL);

const remindAfterUnit = field({
	displayName: 'Remind After: Unit',
	name: 'remindAfterUnit',
	type: 'options',
	options: UNITS,
	default: 'minutes',
	description: "Whether 'Remind After' counts minutes, hours or days",
});

const remindAfter = field({
	displayName: 'Remind After',
	name: 'remindAfter',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 60,
	description:
		"Time after which people who haven't answered are asked once more, once per level. In minutes, unless 'Remind After: Unit' says otherwise. Deputies get no reminder.",
	read: (raw, { rawValue }, label) =>
		toMs(label, raw, rawValue(remindAfterUnit) ?? remindAfterUnit.default),
});

const oneDenialEnds = field({
	displayName: 'One Denial Ends It',
	name: 'oneDenialEnds',
	type: 'boolean',
	default: true,
	description:
		'Whether any denial ends it as denied. If off, it is denied as soon as too few people are left to approve.',
	read: (raw, _, label) => booleanReader(label)(raw),
});

const requester = field({
	displayName: 'Requester',
	name: 'requester',
	...userLocator,
	description: 'The person who must not decide. That person is never asked, in any level.',
	rejectBlank: true,
	read: (raw, _, label) => readPersonId(label, raw),
});

const IN_OPTIONS = { '/decidedBy': ['severalPeople'] };

/** Options for several people. */
export const severalPeopleOptions = {
	oneDenialEnds: shownIf(oneDenialEnds, IN_OPTIONS),
	remindAfter: shownIf(remindAfter, IN_OPTIONS),
	remindAfterUnit: shownIf(remindAfterUnit, IN_OPTIONS),
	requester: shownIf(requester, IN_OPTIONS),
};
