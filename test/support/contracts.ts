import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { operationsOf, readContract } from '../../contracts/read';
import type { ContractOperation, Schema } from '../../contracts/read';

/** The file names of all contracts. */
export const contractFiles = readdirSync(join(__dirname, '../../contracts'))
	.filter((file) => file.endsWith('.yaml'))
	.sort();

/** The operations of one contract. */
export const contractOperations = (file: string): ContractOperation[] =>
	operationsOf(readContract(file));

/** The schema of what an operation sends; of several media types the first. */
export const bodyOf = ({ requestBody }: ContractOperation): Schema | undefined =>
	requestBody && Object.values(requestBody.content)[0]!.schema;
