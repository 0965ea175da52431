import { createRequire } from 'node:module';

import { packServices } from '../pack';
import { labelOf } from './sample';
import type { Sample } from './sample';

const load = createRequire(__filename);

/** A sample for every operation of the pack, from the file of each service. */
export const samples: Sample[] = packServices.flatMap(({ name }) => {
	const { [`${name}Samples`]: own } = load(`./${name}`) as Record<string, Sample[] | undefined>;
	if (!own) throw new Error(`samples/${name} exports no '${name}Samples'`);
	return own;
});

/** The operations in the pack's own tables, as `node resource operation`. */
export const operations: string[] = packServices.flatMap(({ Node, service }) =>
	Object.entries(service.resources).flatMap(([resource, { operations: all }]) =>
		Object.keys(all).map((operation) => `${new Node().description.name} ${resource} ${operation}`),
	),
);

/** Returns the operations of the pack that have no sample. */
export const operationsWithoutSample = (): string[] => {
	const known = new Set(samples.map((sample) => labelOf({ ...sample, variant: undefined })));
	return operations.filter((operation) => !known.has(operation));
};

/** Returns the samples of operations that the pack does not have. */
export const samplesWithoutOperation = (): string[] => {
	const offered = new Set(operations);
	return samples
		.filter((sample) => !offered.has(labelOf({ ...sample, variant: undefined })))
		.map(labelOf);
};
