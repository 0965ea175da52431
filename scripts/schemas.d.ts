import type { ContractOperation } from '../contracts/read';

/** Returns the schema of one output item, from the operation's row or the contract; undefined where neither describes it. */
export function createOutputSchema(
	row: unknown,
	contractOperations: ContractOperation[],
): { properties?: Record<string, { type: string }> } | undefined;

/** Returns the schema of a trigger's items. */
export function createTriggerSchema(
	declared: unknown,
	contractOperations: ContractOperation[],
): { properties: Record<string, { type: string }> };

/** Returns the names of all fields, nested ones included, in successful responses of an operation. */
export function listResponseFields(operation: ContractOperation): string[];
