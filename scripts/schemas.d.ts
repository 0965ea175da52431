import type { ContractOperation } from '../contracts/read';

/** The schema of what an operation puts out, by its row and the operations of the contract; nothing where neither tells. */
export function outputSchema(
	row: unknown,
	contract: ContractOperation[],
): { properties?: Record<string, { type: string }> } | undefined;

/** The schema of what a trigger starts with. */
export function triggerSchema(
	yields: unknown,
	contract: ContractOperation[],
): { properties: Record<string, { type: string }> };

/** The names of all fields in good answers to an operation of a contract. */
export function answerFields(operation: ContractOperation): string[];
