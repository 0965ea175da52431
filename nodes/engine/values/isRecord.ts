import type { IDataObject } from 'n8n-workflow';

/**
 * Whether a value is an object of names and values, and neither a list nor null. This file imports no code, since the build
 * bundles it into `token/jwt`.
 */
export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
