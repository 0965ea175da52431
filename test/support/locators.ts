import type { INodeParameters } from 'n8n-workflow';

/** Returns a resource locator with an ID or an expression, as n8n stores it. */
export const locateById = (value: unknown) => ({
	__rl: true as const,
	mode: 'id',
	value: `${value}`,
});

/** Returns a resource locator with a name, as n8n stores it. */
export const locateByName = (value: unknown): INodeParameters =>
	({ __rl: true, mode: 'name', value }) as never;
