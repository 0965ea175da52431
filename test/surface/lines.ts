import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** What workflows store of a property: its name, type, default and values, and below it the same of what it holds. */
export function propertyLines(properties: INodeProperties[], owner = ''): string[] {
	return properties.flatMap((property) => {
		const name = `${owner}${property.name}`;
		return [
			`${name}: ${property.type} = ${JSON.stringify(property.default)}${shown(property)}${modes(property)}`,
			...(property.options ?? []).flatMap((option) => {
				if ('values' in option) return propertyLines(option.values, `${name}.${option.name}.`);
				if ('type' in option) return propertyLines([option], `${name}.`);
				return [`${name} := ${JSON.stringify(option.value)}`];
			}),
		];
	});
}

/** When the editor shows a property: for which resource and operation above all. */
function shown({ displayOptions }: INodeProperties): string {
	const rules = Object.entries(displayOptions?.show ?? {});
	return rules.length === 0
		? ''
		: ` if ${rules.map(([name, values]) => `${name} ${JSON.stringify(values)}`).join(' and ')}`;
}

const modes = ({ modes: ways }: INodeProperties) =>
	ways ? ` by ${ways.map(({ name }) => name).join(', ')}` : '';

/** What workflows store of a node. */
export const nodeLines = (description: INodeTypeDescription): string[] => [
	`node ${description.name} version ${JSON.stringify(description.version)}`,
	...(description.credentials ?? []).map(({ name }) => `credential ${name}`),
	...(description.webhooks ?? []).map(({ name, path }) => `webhook ${name} at ${path}`),
	...propertyLines(description.properties),
];

/** What n8n stores of a credential. */
export const credentialLines = (credential: ICredentialType): string[] => [
	`credential ${credential.name}`,
	...propertyLines(credential.properties),
];

/** The shape of a value: its names and types, in order. Of a list, that of its entries. */
export function shapeOf(value: unknown): unknown {
	if (Array.isArray(value))
		return [...new Set(value.map((entry) => JSON.stringify(shapeOf(entry))))];
	if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
	const names = Object.keys(value).sort();
	return Object.fromEntries(
		names.map((name) => [name, shapeOf((value as Record<string, unknown>)[name])]),
	);
}
