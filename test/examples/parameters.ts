import { NodeHelpers } from 'n8n-workflow';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');
const toList = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/**
 * Returns the problems in the parameters of a stored node: names that its panel does not show for this resource and operation,
 * values that are not offered, required ones that are blank.
 */
export function findParameterProblems(node: INode, description: INodeTypeDescription): string[] {
	const { properties } = description;
	const resolvedParameters = NodeHelpers.getNodeParameters(
		properties,
		node.parameters,
		true,
		false,
		node,
		description,
	)!;
	const resolvedNode = { ...node, parameters: resolvedParameters };
	const visibleProperties = properties.filter((property) =>
		NodeHelpers.displayParameter(resolvedParameters, property, resolvedNode, description),
	);
	const issues = NodeHelpers.getNodeParametersIssues(properties, resolvedNode, description);
	return [
		...findUnknownValues(node.parameters, visibleProperties, ''),
		...Object.values(issues?.parameters ?? {}).flat(),
	];
}

/** Returns names and values that the panel does not offer at this place. */
function findUnknownValues(
	values: INodeParameters,
	properties: INodeProperties[],
	place: string,
): string[] {
	return Object.entries(values).flatMap(([name, value]) => {
		const property = properties.find((candidate) => candidate.name === name);
		const where = `${place}${name}`;
		if (!property) return [`${where} is not shown`];
		return isExpression(value) ? [] : findUnknownValuesIn(value, property, where);
	});
}

function findUnknownValuesIn(value: unknown, property: INodeProperties, where: string): string[] {
	const { type, options = [], typeOptions, modes } = property;
	switch (type) {
		case 'options':
		case 'multiOptions': {
			if (typeOptions?.loadOptionsMethod) return [];
			const choices = (options as INodePropertyOptions[]).map((option) => option.value);
			const unknownChoices = toList(value as string).filter((choice) => !choices.includes(choice));
			return unknownChoices.map((choice) => `${where} does not offer ${choice}`);
		}
		case 'collection':
			return findUnknownValues(value as INodeParameters, options as INodeProperties[], `${where}.`);
		case 'fixedCollection':
			return Object.entries(value as Record<string, INodeParameters | INodeParameters[]>).flatMap(
				([name, rows]) => {
					const groups = options as INodePropertyCollection[];
					const group = groups.find((candidate) => candidate.name === name);
					if (!group) return [`${where}.${name} is not shown`];
					return toList(rows).flatMap((row) =>
						findUnknownValues(row, group.values, `${where}.${name}.`),
					);
				},
			);
		case 'resourceLocator': {
			const { mode } = value as { mode: string };
			return modes?.some(({ name }) => name === mode) ? [] : [`${where} has no mode ${mode}`];
		}
		default:
			return [];
	}
}
