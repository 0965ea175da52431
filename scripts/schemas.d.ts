import type { ContractOperation } from '../contracts/read';

/** The schema of what an operation puts out, by its row and the operations of the contract; nothing where neither tells. */
export function outputSchema(
	row: unknown,
	contract: ContractOperation[],
): { properties?: Record<string, { type: string }> } | undefined;
