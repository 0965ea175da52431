import { displayParameter } from 'n8n-workflow';
import type {
	ICredentialType,
	IDisplayOptions,
	INodeProperties,
	INodeTypeDescription,
} from 'n8n-workflow';

// One line for each part of the pack that a workflow may contain, so that an addition never looks like a change.

/** Returns a line for each part of a property that workflows store: name, type, default, values and nested properties. */
function listPropertyLines(properties: INodeProperties[], owner = ''): string[] {
	return properties.flatMap((property) => {
		const name = `${owner}${property.name}`;
		const definition = `${name}: ${property.type} = ${JSON.stringify(property.default)}`;
		return [
			...listPlaces(property).map((place) => `${definition}${place}`),
			...(property.modes ?? []).map((mode) => `${name} by ${mode.name}`),
			...(property.options ?? []).flatMap((option) => {
				if ('values' in option) return listPropertyLines(option.values, `${name}.${option.name}.`);
				if ('type' in option) return listPropertyLines([option], `${name}.`);
				return [`${name} := ${JSON.stringify(option.value)}`];
			}),
		];
	});
}

/** Returns each combination of conditions under which the editor shows a property, mainly of resource and operation. */
function listPlaces({ displayOptions }: INodeProperties): string[] {
	const rules = Object.entries(displayOptions?.show ?? {}).filter(([name]) => name !== VERSION);
	let places = [''];
	for (const [name, values = []] of rules) {
		places = places.flatMap((place) =>
			values.map(
				(value) => `${place}${place === '' ? ' if' : ' and'} ${name} ${JSON.stringify(value)}`,
			),
		);
	}
	return places;
}

const VERSION = '@version';

/** Whether a property belongs to a version of its node. Other conditions of its display are ignored. */
function isInVersion(
	version: number,
	property: INodeProperties,
	node: INodeTypeDescription,
): boolean {
	const keepVersionRule = (rules: IDisplayOptions['show']) =>
		rules?.[VERSION] ? { [VERSION]: rules[VERSION] } : {};
	const { show, hide } = property.displayOptions ?? {};
	const displayOptions = { show: keepVersionRule(show), hide: keepVersionRule(hide) };
	return displayParameter({}, { ...property, displayOptions }, { typeVersion: version }, node);
}

/** Returns a line for each part of a node that workflows store, for each of its versions. */
export const nodeLines = (description: INodeTypeDescription): string[] =>
	[description.version].flat().flatMap((version) => {
		const versionProperties = description.properties.filter((property) =>
			isInVersion(version, property, description),
		);
		const lines = [
			`node ${description.name}`,
			...(description.credentials ?? []).map(({ name }) => `credential ${name}`),
			...(description.webhooks ?? []).map(({ name, path }) => `webhook ${name} at ${path}`),
			...listPropertyLines(versionProperties),
		];
		return [...new Set(lines)].map((line) => `v${version} ${line}`);
	});

/** Returns a line for each part of a credential that n8n stores. */
export const credentialLines = (credential: ICredentialType): string[] => [
	`credential ${credential.name}`,
	...listPropertyLines(credential.properties),
];

/** Returns the shape of a value: a line for each part of it, with its path and its type. */
export function shapeLines(value: unknown, path = ''): string[] {
	if (typeof value !== 'object' || value === null) {
		return [`${path}: ${value === null ? 'null' : typeof value}`];
	}
	const nestedLines = Array.isArray(value)
		? value.flatMap((entry) => shapeLines(entry, `${path}[]`))
		: Object.entries(value).flatMap(([name, entry]) =>
				shapeLines(entry, path === '' ? name : `${path}.${name}`),
			);
	if (nestedLines.length === 0) return [`${path}: ${Array.isArray(value) ? 'list' : 'object'}`];
	return [...new Set(nestedLines)].sort();
}
