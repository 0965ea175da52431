// Protects users of older n8n: no node has a condition on a missing parameter, with which a workflow could not be published.
import type { INodeProperties } from 'n8n-workflow';

import { packServices } from '../support/pack';

/** Returns the lists of parameters that n8n resolves together: a node's own, and those inside each collection. */
function listLevels(properties: INodeProperties[]): INodeProperties[][] {
	const nestedLevels = properties.flatMap(({ options = [] }) => {
		const parts = options as Array<INodeProperties & { values?: INodeProperties[] }>;
		const groups = parts.flatMap(({ values }) => (values ? listLevels(values) : []));
		return [...groups, ...listLevels(parts.filter((part) => 'type' in part))];
	});
	return properties.length > 0 ? [properties, ...nestedLevels] : nestedLevels;
}

/** Returns the conditions that no parameter of the same level fulfills. `@` stands for n8n's own values, `/` for the node's top level. */
const findUnresolved = (properties: INodeProperties[]) =>
	listLevels(properties).flatMap((level) => {
		const names = new Set(level.map(({ name }) => name));
		return level.flatMap(({ name, displayOptions = {} }) =>
			[displayOptions.show, displayOptions.hide]
				.flatMap((rule) => Object.keys(rule ?? {}))
				.filter((condition) => !/^[@/]/.test(condition) && !names.has(condition))
				.map((condition) => `${name}: ${condition}`),
		);
	});

const descriptions = packServices.flatMap(({ Node, Trigger }) =>
	[Node, Trigger].flatMap((Type) => (Type ? [new Type().description] : [])),
);

// n8n 1.123 and 2.20 do not publish a workflow with such a node: "Could not resolve parameter dependencies".
it.each(descriptions)('$displayName has no condition on a missing parameter', ({ properties }) => {
	expect(findUnresolved(properties)).toEqual([]);
});
