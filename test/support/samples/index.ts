import { createRequire } from 'node:module';

import { packServices } from '../pack';
import { labelOf } from './sample';
import type { Sample } from './sample';

const requireFile = createRequire(__filename);

/** A sample for every operation of the pack, from the file of each service. */
export const samples: Sample[] = packServices.flatMap(({ name }) => {
	const { [`${name}Samples`]: serviceSamples } = requireFile(`./${name}`) as Record<
		string,
		Sample[] | undefined
	>;
	if (!serviceSamples) throw new Error(`samples/${name} exports no '${name}Samples'`);
	return serviceSamples;
});

/** The operations in the pack's own tables, as `node resource operation`. */
export const operations: string[] = packServices.flatMap(({ name, service }) =>
	Object.entries(service.resources).flatMap(([resource, { operations: serviceOperations }]) =>
		Object.keys(serviceOperations).map((operation) => `${name} ${resource} ${operation}`),
	),
);

/** Returns the operations of the pack that have no sample. */
export const operationsWithoutSample = (): string[] => {
	const sampledOperations = new Set(
		samples.map((sample) => labelOf({ ...sample, variant: undefined })),
	);
	return operations.filter((operation) => !sampledOperations.has(operation));
};

/** Returns the samples of operations that the pack does not have. */
export const samplesWithoutOperation = (): string[] => {
	const packOperations = new Set(operations);
	return samples
		.filter((sample) => !packOperations.has(labelOf({ ...sample, variant: undefined })))
		.map(labelOf);
};
