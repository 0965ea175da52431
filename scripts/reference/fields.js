/** Types of n8n's parameters, in words for users. */
const TYPE_TEXTS = {
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

/** Longer lists are only counted. */
const MAX_LISTED_CHOICES = 30;

/** Whether a parameter is one that a user fills in. The parameters of an agent's tool repeat those of the node. */
const isField = ({ type, name, displayOptions }) =>
	type !== 'notice' &&
	type !== 'hidden' &&
	!['resource', 'operation', 'options'].includes(name) &&
	!displayOptions?.show?.['@tool'];

/** Returns the table cells of a parameter: name, type, default and description. */
function createFieldRow(field, fieldsByName) {
	const cells = [
		field.displayName + (field.required ? ' (required)' : ''),
		describeType(field),
		describeValue(field, field.default),
		[
			field.description,
			describeCondition(field, fieldsByName),
			describeChoices(field),
			describeGroup(field),
		]
			.filter(Boolean)
			.map(toSentence)
			.join(' '),
	];
	return cells.map(toCell);
}

/** Escapes pipes and line breaks for a table cell, and converts the HTML tags of n8n's descriptions to Markdown. */
const toCell = (text) =>
	text
		.replace(/<br\s*\/?>/g, ' ')
		.replace(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
		.replace(/<\/?(code|b|i|strong)>/g, '`')
		.replace(/\|/g, '\\|')
		.replace(/\s*\n\s*/g, ' ');

function describeType({ type, typeOptions, modes }) {
	if (type === 'resourceLocator') {
		return modes.map(({ displayName }) => displayName).join(', ');
	}
	const { minValue, maxValue } = typeOptions ?? {};
	if (type === 'number' && minValue !== undefined && maxValue !== undefined) {
		return `number, ${minValue} to ${maxValue}`;
	}
	if (type === 'number' && minValue !== undefined) return `number, at least ${minValue}`;
	return TYPE_TEXTS[type] ?? type;
}

/** Returns a value of a parameter as the panel shows it, or an empty text for no value. */
function describeValue({ type, options }, value) {
	if (value === undefined || value === '' || value === null || typeof value === 'object') {
		if (type !== 'multiOptions' || !value?.length) return '';
	}
	if (type === 'boolean') return value ? 'on' : 'off';
	const findChoiceName = (choice) =>
		options?.find((option) => option.value === choice)?.name ?? String(choice);
	if (Array.isArray(value)) return value.map(findChoiceName).join(', ');
	return type === 'options' || type === 'multiOptions' ? findChoiceName(value) : String(value);
}

/** Returns the sentence that says for which values of other parameters this one is shown. */
function describeCondition({ displayOptions }, fieldsByName) {
	const conditions = Object.entries(displayOptions?.show ?? {}).filter(
		([name]) => name !== 'resource' && name !== 'operation' && !name.startsWith('/'),
	);
	if (conditions.length === 0) return undefined;
	const parts = conditions.map(([name, values]) => {
		const field = fieldsByName.get(name);
		const texts = values.map((value) =>
			typeof value === 'object' ? 'filled in' : describeValue(field, value),
		);
		return `_${field?.displayName ?? name}_ is ${joinAlternatives(texts)}`;
	});
	return `Shown if ${parts.join(' and ')}.`;
}

/** Returns the choices of a list with their descriptions. */
function describeChoices({ type, options }) {
	if (type !== 'options' && type !== 'multiOptions') return undefined;
	if (!options?.length) return undefined;
	if (options.length > MAX_LISTED_CHOICES) return `${options.length} choices.`;
	const texts = options.map(({ name, description }) =>
		description ? `_${name}_: ${lowerFirstLetter(description).replace(/\.$/, '')}` : `_${name}_`,
	);
	return `Choices: ${texts.join('; ')}.`;
}

/** Returns the fields inside a group. */
function describeGroup({ type, options }) {
	if (type !== 'fixedCollection' && type !== 'collection') return undefined;
	const fields = (options ?? []).flatMap((option) => option.values ?? [option]);
	const texts = fields
		.filter(isField)
		.map((field) => `_${field.displayName}_ (${describeType(field)})${describeGroupField(field)}`);
	return texts.length > 0 ? `Contains ${texts.join('; ')}.` : undefined;
}

/** Returns the description of a field inside a group, with its choices. */
function describeGroupField(field) {
	const text = [field.description, describeChoices(field)]
		.filter(Boolean)
		.map(toSentence)
		.join(' ');
	return text ? `: ${lowerFirstLetter(text).replace(/\.$/, '')}` : '';
}

/** Adds a period to a description that does not end with a punctuation mark. */
const toSentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

const lowerFirstLetter = (text) =>
	/^[A-Z][a-z ]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text;

const joinAlternatives = (texts) =>
	texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}` : texts[0];

module.exports = { toSentence, createFieldRow, isField };
