import { operationsOf, readContract } from '../../contracts/read';
import type { ContractOperation, Schema } from '../../contracts/read';

/** The operations of one contract. */
export const contractOperations = (file: string): ContractOperation[] =>
	operationsOf(readContract(file));

/** The schema of what an operation sends; of several media types the first. */
export const bodyOf = ({ requestBody }: ContractOperation): Schema | undefined =>
	requestBody && Object.values(requestBody.content)[0]!.schema;
