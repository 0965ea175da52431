import { operationsOf, readContract } from '../../contracts/read';
import type { ContractOperation, Schema } from '../../contracts/read';

const operationsByFile = new Map<string, ContractOperation[]>();

/** Returns the operations of one contract. Each contract is parsed once, which takes a quarter of a second. */
export function contractOperations(file: string): ContractOperation[] {
	const operations = operationsByFile.get(file) ?? operationsOf(readContract(file));
	operationsByFile.set(file, operations);
	return operations;
}

/** Returns the schema of an operation's request body; of several media types the first. */
export const requestBodySchema = ({ requestBody }: ContractOperation): Schema | undefined =>
	requestBody && Object.values(requestBody.content)[0]!.schema;
