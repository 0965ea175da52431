import { displayParameter } from 'n8n-workflow';
import type {
	ICredentialType,
	IDisplayOptions,
	INodeProperties,
	INodeTypeDescription,
} from 'n8n-workflow';

// One line for each part of the pack that a workflow may contain, so that an addition never looks like a change.

/** Parts of a property that workflows store: name, type, default and values, and the same for the properties inside. */
function propertyLines(properties: INodeProperties[], owner = ''): string[] {
	return properties.flatMap((property) => {
		const name = `${owner}${property.name}`;
		const usual = `${name}: ${property.type} = ${JSON.stringify(property.default)}`;
		return [
			...places(property).map((place) => `${usual}${place}`),
			...(property.modes ?? []).map((mode) => `${name} by ${mode.name}`),
			...(property.options ?? []).flatMap((option) => {
				if ('values' in option) return propertyLines(option.values, `${name}.${option.name}.`);
				if ('type' in option) return propertyLines([option], `${name}.`);
				return [`${name} := ${JSON.stringify(option.value)}`];
			}),
		];
	});
}

/** Where the editor shows a property, each place by itself: for which resource and operation above all. */
function places({ displayOptions }: INodeProperties): string[] {
	const rules = Object.entries(displayOptions?.show ?? {}).filter(([name]) => name !== VERSION);
	let found = [''];
	for (const [name, values = []] of rules) {
		found = found.flatMap((place) =>
			values.map(
				(value) => `${place}${place === '' ? ' if' : ' and'} ${name} ${JSON.stringify(value)}`,
			),
		);
	}
	return found;
}

const VERSION = '@version';

/** Whether a property belongs to a version of its node, whatever else decides when it is shown. */
function isOf(version: number, property: INodeProperties, node: INodeTypeDescription): boolean {
	const only = (rules: IDisplayOptions['show']) =>
		rules?.[VERSION] ? { [VERSION]: rules[VERSION] } : {};
	const { show, hide } = property.displayOptions ?? {};
	const displayOptions = { show: only(show), hide: only(hide) };
	return displayParameter({}, { ...property, displayOptions }, { typeVersion: version }, node);
}

/** Parts of a node that workflows store, for each of its versions. */
export const nodeLines = (description: INodeTypeDescription): string[] =>
	[description.version].flat().flatMap((version) => {
		const versionProperties = description.properties.filter((property) =>
			isOf(version, property, description),
		);
		const lines = [
			`node ${description.name}`,
			...(description.credentials ?? []).map(({ name }) => `credential ${name}`),
			...(description.webhooks ?? []).map(({ name, path }) => `webhook ${name} at ${path}`),
			...propertyLines(versionProperties),
		];
		return [...new Set(lines)].map((line) => `v${version} ${line}`);
	});

/** Parts of a credential that n8n stores. */
export const credentialLines = (credential: ICredentialType): string[] => [
	`credential ${credential.name}`,
	...propertyLines(credential.properties),
];

/** The shape of a value, a line for each thing in it: where it stands, and of which type it is. */
export function shapeLines(value: unknown, place = ''): string[] {
	if (typeof value !== 'object' || value === null) {
		return [`${place}: ${value === null ? 'null' : typeof value}`];
	}
	const within = Array.isArray(value)
		? value.flatMap((entry) => shapeLines(entry, `${place}[]`))
		: Object.entries(value).flatMap(([name, entry]) =>
				shapeLines(entry, place === '' ? name : `${place}.${name}`),
			);
	if (within.length === 0) return [`${place}: ${Array.isArray(value) ? 'list' : 'object'}`];
	return [...new Set(within)].sort();
}
