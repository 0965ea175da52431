import { operationsOf, readContract } from '../../contracts/read';
import type { ContractOperation, Schema } from '../../contracts/read';

/** Returns the operations of one contract. */
export const contractOperations = (file: string): ContractOperation[] =>
	operationsOf(readContract(file));

/** Returns the schema of an operation's request body; of several media types the first. */
export const requestBodySchema = ({ requestBody }: ContractOperation): Schema | undefined =>
	requestBody && Object.values(requestBody.content)[0]!.schema;
