const { readFileSync } = require('node:fs');
const path = require('node:path');
const { operationsOf, readContract } = require('../../contracts/read');
const { loadSource } = require('../loadSource');
const { formatTable } = require('../operationTable');
const { toSentence, createFieldRow, isField } = require('./fields');

const COLUMN_TITLES = ['Field', 'Type', 'Default', 'Description'];

/** Returns the reference of a service's node and of its trigger, as Markdown that is not formatted yet. */
function createReferencePage(root, name, { folder, title, contract }) {
	const { service } = loadSource(root, `nodes/${folder}/service.ts`);
	const properties = readProperties(root, folder, folder);
	const contractOperations = operationsOf(readContract(contract));
	const examples = JSON.parse(
		readFileSync(path.join(root, `docs/reference/examples/${name}.json`), 'utf8'),
	);
	const sections = Object.entries(service.resources).flatMap(
		([resource, { name: label, operations }]) =>
			Object.entries(operations)
				.sort(([, a], [, b]) => a.name.localeCompare(b.name, 'en'))
				.flatMap(([operationName, operation]) => [
					`## ${label}: ${operation.name}`,
					toSentence(operation.description),
					...createFieldSection(properties, resource, operationName),
					...createOptionSection(properties, resource, operationName, operation),
					...createOutputSection(examples[`${resource}.${operationName}`]),
					...createErrorSection(operation, contractOperations),
				]),
	);
	return [
		`# ${title}: reference`,
		'<!-- Written by npm run reference from the nodes and the contracts. Do not edit. -->',
		`Every operation of the _${title}_ node with its fields, options and output. Required fields must have a value. You add an option with _Add option_; it then has the value under _Default_ until you change it. The options that many operations share are [below](#shared-options).`,
		...sections,
		...createSharedOptionSection(properties, service),
		...createTriggerSection(root, folder, title),
	].join('\n\n');
}

function readProperties(root, folder, name) {
	const Node = loadSource(root, `nodes/${folder}/${name}.node.ts`)[name];
	return new Node().description.properties;
}

const isShownFor = (resource, operation) => (property) => {
	const show = property.displayOptions?.show ?? {};
	return show.resource?.includes(resource) && show.operation?.includes(operation);
};

function createFieldSection(properties, resource, operationName) {
	const fields = properties.filter(isShownFor(resource, operationName)).filter(isField);
	return fields.length > 0 ? [createFieldTable(fields, properties)] : ['No fields.'];
}

function createOptionSection(properties, resource, operationName, operation) {
	const operationOptionNames = new Set((operation.options ?? []).map(({ name }) => name));
	const { options = [] } =
		properties
			.filter(isShownFor(resource, operationName))
			.find(({ name, displayOptions }) => name === 'options' && !displayOptions.show['@tool']) ??
		{};
	const fields = options.filter(({ name }) => operationOptionNames.has(name)).filter(isField);
	return fields.length > 0 ? ['Options:', createFieldTable(fields, options)] : [];
}

/** Returns the options that the engine adds to the operations, each once. */
function createSharedOptionSection(properties, service) {
	const operationOptionNames = new Set(
		Object.values(service.resources).flatMap(({ operations }) =>
			Object.values(operations).flatMap((operation) =>
				(operation.options ?? []).map(({ name }) => name),
			),
		),
	);
	const sharedOptions = new Map(
		properties
			.filter(({ name }) => name === 'options')
			.flatMap(({ options }) => options)
			.filter(({ name }) => !operationOptionNames.has(name))
			.map((option) => [option.name, option]),
	);
	const fields = [...sharedOptions.values()].filter(isField);
	if (fields.length === 0) return [];
	return [
		'## Shared options',
		'Each operation has those of the options below that apply to it.',
		createFieldTable(fields, fields),
	];
}

function createFieldTable(fields, siblings) {
	const fieldsByName = new Map([...siblings, ...fields].map((field) => [field.name, field]));
	return formatTable(
		COLUMN_TITLES,
		fields.map((field) => createFieldRow(field, fieldsByName)),
	).join('\n');
}

function createOutputSection(example) {
	return ['Output, for example:', '```json', JSON.stringify(example, null, 2), '```'];
}

/** Returns the rejections that the contract lists for the operation. */
function createErrorSection({ request }, contractOperations) {
	const contractOperation =
		request &&
		contractOperations.find(
			({ method, path }) => method === request.method && path === request.path,
		);
	if (!contractOperation) return [];
	const rows = Object.entries(contractOperation.responses)
		.filter(([status]) => /^[45]/.test(status))
		.map(([status, { description }]) => [status, description.replace(/\s+/g, ' ')]);
	return rows.length > 0
		? ['Errors of the service:', formatTable(['Status', 'Meaning'], rows).join('\n')]
		: [];
}

function createTriggerSection(root, folder, title) {
	const properties = readProperties(root, folder, `${folder}Trigger`);
	const { options = [] } = properties.find(({ name }) => name === 'options') ?? {};
	return [
		`## ${title} Trigger`,
		createFieldTable(properties.filter(isField), properties),
		...(options.length > 0 ? ['Options:', createFieldTable(options.filter(isField), options)] : []),
	];
}

module.exports = { createReferencePage };
