import type { INodePropertyOptions } from 'n8n-workflow';

import type { Catalog } from '../operation';

/** The names of values, as an expression can look them up. It must not hold two closing braces in a row: they would end it. */
const names = (options: Array<[value: string, name: string]>) =>
	`(${JSON.stringify(Object.fromEntries(options))})`;

/** What the canvas shows below a node's name: the operation and what it is about, as they are called in the panel. */
export const subtitle = ({ resources }: Catalog): string =>
	`={{ ${names(
		Object.entries(resources).flatMap(([resource, { name, operations }]) =>
			Object.entries(operations).map(([operation, own]): [string, string] => [
				`${resource} ${operation}`,
				`${own.name}: ${name}`,
			]),
		),
	)}[$parameter["resource"] + " " + $parameter["operation"]] }}`;

/** What the canvas shows below the name of a trigger that is told what starts it. */
export const triggerOnSubtitle = (options: INodePropertyOptions[]): string =>
	`={{ [$parameter["triggerOn"]].flat().map((value) => ${names(
		options.map(({ value, name }) => [`${value}`, name]),
	)}[value]).join(", ") }}`;
