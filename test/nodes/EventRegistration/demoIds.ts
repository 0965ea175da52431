import type { INodeParameters } from 'n8n-workflow';

/** Records that the sandbox's demo data always has. */
export const demoIds = {
	eventId: 1001,
	sessionId: 3001,
	registrationTypeId: 2001,
	optionGroupId: 4001,
	registrationId: 5_000_001,
	orderId: 6_000_001,
	contactListId: 7003,
	optionId: 41_001,
} as const;

/** Values for the inputs of a form, as the resource mapper stores them without a description of the form. */
export const mapperValue = (value: Record<string, unknown>): INodeParameters =>
	({ mappingMode: 'defineBelow', value, schema: [] }) as never;
