import type { IDataObject } from 'n8n-workflow';

/**
 * Whether a value is an object of names and values: no list, and not null. Imports nothing, since `token/jwt` is bundled
 * with it.
 */
export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
