import type { INodeProperties } from 'n8n-workflow';

import { packServices } from '../support/pack';

/** The lists of parameters that n8n resolves together: a node's own, and those inside each collection. */
function levels(properties: INodeProperties[]): INodeProperties[][] {
	const inside = properties.flatMap(({ options = [] }) => {
		const parts = options as Array<INodeProperties & { values?: INodeProperties[] }>;
		const groups = parts.flatMap(({ values }) => (values ? levels(values) : []));
		return [...groups, ...levels(parts.filter((part) => 'type' in part))];
	});
	return properties.length > 0 ? [properties, ...inside] : inside;
}

/** Conditions that no parameter of the same level fulfills. `@` stands for n8n's own values, `/` for the node's top level. */
const unresolved = (properties: INodeProperties[]) =>
	levels(properties).flatMap((level) => {
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
	expect(unresolved(properties)).toEqual([]);
});
