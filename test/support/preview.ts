import type { IDataObject } from 'n8n-workflow';

const describeType = (value: unknown): string => {
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
};

const matchesType = (value: unknown, type: string) =>
	describeType(value) === type || (type === 'number' && typeof value === 'number');

/** Returns the fields of items that the preview's schema lacks or declares with another type. */
export const findSchemaMismatches = (
	items: IDataObject[],
	properties: Record<string, { type: string }>,
) => [
	...new Set(
		items.flatMap((item) =>
			Object.entries(item)
				.filter(([, value]) => value !== null)
				.filter(([name, value]) => !(properties[name] && matchesType(value, properties[name].type)))
				.map(([name, value]) => `${name}: ${describeType(value)}`),
		),
	),
];
