import type { INodePropertyOptions } from 'n8n-workflow';

import type { Catalog } from '../operation';

/** Returns an object literal of display names by value. In parentheses, because two closing braces end the expression. */
const names = (options: Array<[value: string, name: string]>) =>
	`(${JSON.stringify(Object.fromEntries(options))})`;

/** Returns the subtitle expression of a node: operation and resource by their display names. */
export const subtitle = ({ resources }: Catalog): string =>
	`={{ ${names(
		Object.entries(resources).flatMap(([resource, { name, operations }]) =>
			Object.entries(operations).map(([operation, definition]): [string, string] => [
				`${resource} ${operation}`,
				`${definition.name}: ${name}`,
			]),
		),
	)}[$parameter["resource"] + " " + $parameter["operation"]] }}`;

/** Returns the subtitle expression of a trigger with the parameter Trigger On: the display names of the selected events. */
export const triggerOnSubtitle = (options: INodePropertyOptions[]): string =>
	`={{ [$parameter["triggerOn"]].flat().map((value) => ${names(
		options.map(({ value, name }) => [`${value}`, name]),
	)}[value]).join(", ") }}`;
