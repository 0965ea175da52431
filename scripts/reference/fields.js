/** Types of n8n's parameters, in words for users. */
const TYPES = {
	boolean: 'yes or no',
	collection: 'group',
	dateTime: 'date and time',
	fixedCollection: 'group',
	json: 'JSON',
	multiOptions: 'several of a list',
	number: 'number',
	options: 'one of a list',
	resourceLocator: 'record',
	resourceMapper: 'fields of the form',
	string: 'text',
};

/** Whether a parameter is one that a user fills in. The parameters of an agent's tool repeat those of the node. */
const isField = ({ type, name, displayOptions }) =>
	type !== 'notice' &&
	type !== 'hidden' &&
	!['resource', 'operation', 'options'].includes(name) &&
	!displayOptions?.show?.['@tool'];

/** Returns the table cells of a parameter: name, type, default and description. */
function fieldRow(field, names) {
	const cells = [
		field.displayName + (field.required ? ' (required)' : ''),
		typeText(field),
		defaultText(field),
		[
			field.description,
			describeCondition(field, names),
			describeChoices(field),
			describeGroup(field),
		]
			.filter(Boolean)
			.map(asSentence)
			.join(' '),
	];
	return cells.map(toCell);
}

/** Escapes what Markdown would interpret, and removes the tags of n8n's descriptions. */
const toCell = (text) =>
	text
		.replace(/<br\s*\/?>/g, ' ')
		.replace(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
		.replace(/<\/?(code|b|i|strong)>/g, '`')
		.replace(/\|/g, '\\|')
		.replace(/\s*\n\s*/g, ' ');

function typeText({ type, typeOptions, modes }) {
	if (type === 'resourceLocator') {
		return modes.map(({ displayName }) => displayName).join(', ');
	}
	const { minValue, maxValue } = typeOptions ?? {};
	if (type === 'number' && minValue !== undefined && maxValue !== undefined) {
		return `number, ${minValue} to ${maxValue}`;
	}
	if (type === 'number' && minValue !== undefined) return `number, at least ${minValue}`;
	return TYPES[type] ?? type;
}

function defaultText({ type, default: value, options }) {
	if (value === undefined || value === '' || value === null || typeof value === 'object') {
		if (type !== 'multiOptions' || !value?.length) return '';
	}
	if (type === 'boolean') return value ? 'on' : 'off';
	const nameOf = (choice) =>
		options?.find((option) => option.value === choice)?.name ?? String(choice);
	if (Array.isArray(value)) return value.map(nameOf).join(', ');
	return type === 'options' || type === 'multiOptions' ? nameOf(value) : String(value);
}

/** Returns the sentence that says for which values of other parameters this one is shown. */
function describeCondition({ displayOptions }, names) {
	const others = Object.entries(displayOptions?.show ?? {}).filter(
		([name]) => name !== 'resource' && name !== 'operation' && !name.startsWith('/'),
	);
	if (others.length === 0) return undefined;
	const parts = others.map(([name, values]) => {
		const field = names.get(name);
		const texts = values.map((value) =>
			typeof value === 'object' ? 'filled in' : defaultText({ ...field, default: value }),
		);
		return `_${field?.displayName ?? name}_ is ${joinAlternatives(texts)}`;
	});
	return `Shown if ${parts.join(' and ')}.`;
}

/** Returns the choices of a list with their descriptions. */
function describeChoices({ type, options }) {
	if (type !== 'options' && type !== 'multiOptions') return undefined;
	if (!options?.length) return undefined;
	if (options.length > 30) return `${options.length} choices.`;
	const texts = options.map(({ name, description }) =>
		description ? `_${name}_: ${lowerFirst(description).replace(/\.$/, '')}` : `_${name}_`,
	);
	return `Choices: ${texts.join('; ')}.`;
}

/** Returns the fields inside a group. */
function describeGroup({ type, options }) {
	if (type !== 'fixedCollection' && type !== 'collection') return undefined;
	const fields = (options ?? []).flatMap((option) => option.values ?? [option]);
	const texts = fields
		.filter(isField)
		.map((field) => `_${field.displayName}_ (${typeText(field)})${describeGroupField(field)}`);
	return texts.length > 0 ? `Contains ${texts.join('; ')}.` : undefined;
}

/** Returns the description of a field inside a group, with its choices. */
function describeGroupField(field) {
	const text = [field.description, describeChoices(field)]
		.filter(Boolean)
		.map(asSentence)
		.join(' ');
	return text ? `: ${lowerFirst(text).replace(/\.$/, '')}` : '';
}

/** Adds a period to a description that does not end with a punctuation mark. */
const asSentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

const lowerFirst = (text) =>
	/^[A-Z][a-z ]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text;

const joinAlternatives = (texts) =>
	texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : texts[0];

module.exports = { asSentence, fieldRow, isField };
