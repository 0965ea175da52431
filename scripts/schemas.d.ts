/** The schema of what an operation puts out, by its row and the contract; nothing where neither tells. */
export function outputSchema(
	row: unknown,
	contract: unknown,
): { properties?: Record<string, { type: string }> } | undefined;
