import { BadInput } from '../errors';
import { field } from '../field';
import type { Field, FieldValue } from '../field';
import { isOn, jsonObjectReader, shorten } from '../values/convert';
import { fitsAsData } from '../watch';

const SELECT_TRIGGER_ADVICE =
	"Choose a published trigger from the list, or paste the production URL that the trigger's panel shows.";

/** Reads the URL of a trigger. Throws BadInput if the option was added and is empty: the ID would not be submitted. */
function readUrl(raw: unknown, isAdded: boolean): string | undefined {
	const url = typeof raw === 'string' ? raw.trim() : raw;
	if (url === undefined || url === null || url === '') {
		if (!isAdded) return undefined;
		throw new BadInput("'Trigger' is empty", `${SELECT_TRIGGER_ADVICE} Or remove the option.`);
	}
	if (typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url)) return url;
	throw new BadInput(`'Trigger' is not a web address: ${shorten(url)}`, SELECT_TRIGGER_ADVICE);
}

const triggerUrl: Field<'triggerUrl', string | undefined> = field({
	displayName: 'Trigger',
	name: 'triggerUrl',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		"The trigger whose workflow runs when this is finished: the new ID is sent to it. The list has this service's published triggers that use the same credential.",
	builderHint: {
		propertyHint:
			"The production URL of a published trigger of this pack, as { __rl: true, mode: 'url', value: '…' }. Leave it out unless another workflow is to run when this is finished; to continue in the same workflow, use an operation that waits.",
	},
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a published trigger…',
			typeOptions: { searchListMethod: 'searchTriggers', searchable: true },
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://n8n.example.com/webhook/3f1c…/watch',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '\\s*[Hh][Tt][Tt][Pp][Ss]?://.+',
						errorMessage: 'Not a web address: paste the production URL of the trigger',
					},
				},
			],
		},
	],
	readWhenBlank: true,
	read: (raw, reading) => readUrl(raw, reading.rawValue(triggerUrl) !== undefined),
});

/** Notice that is shown if the user selects both waiting and a trigger. For operations with the toggle `wait`. */
export const waitAndTriggerNotice = field({
	displayName:
		"Both happen: this node waits and continues here, and the trigger's workflow runs as well.",
	name: 'bothHappen',
	type: 'notice',
	default: '',
	displayOptions: { show: { wait: [true], '/options.triggerUrl': [{ _cnd: { exists: true } }] } },
});

/** Options of operations that create records which a trigger of the pack can watch. */
export const submitOptions = {
	triggerUrl,
	triggerSecret: field({
		displayName: 'Trigger Secret',
		name: 'triggerSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		secret: true,
		description:
			'The Trigger Secret of the chosen trigger, if that has another credential than this node, or is in another n8n. The ID is signed with it; the secret itself is not sent.',
		read: (raw) => `${raw}`,
	}),
	triggerData: field({
		displayName: 'Trigger Data',
		name: 'triggerData',
		type: 'json',
		default: '{}',
		description:
			'Data as JSON, up to 1 kB, that the workflow of the trigger gets together with the result, for example {"order": 1042}',
		read: (raw) => {
			const data = jsonObjectReader('Trigger Data')(raw);
			if (fitsAsData(data)) return data;
			throw new BadInput("'Trigger Data' has more than 1 kB", 'Send an ID, and look up the rest.');
		},
	}),
	continueWithoutTrigger: field({
		displayName: 'Continue Without Trigger',
		name: 'continueWithoutTrigger',
		type: 'boolean',
		default: false,
		description:
			"Whether to continue even if the trigger can't take the ID. The output then has 'handedOver' false, and the reason. If off, nothing is sent unless the trigger runs.",
		read: isOn,
	}),
};

export type SubmitValues = {
	[K in keyof typeof submitOptions]?: FieldValue<(typeof submitOptions)[K]>;
};
