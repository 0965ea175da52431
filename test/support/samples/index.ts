import { parts } from '../pack';
import { eventDataSamples } from './eventData';
import { eventRegistrationSamples } from './eventRegistration';
import { passwordlessIdentitySamples } from './passwordlessIdentity';
import { labelOf } from './sample';
import type { Sample } from './sample';
import { twoFactorSamples } from './twoFactor';

/** A sample for every operation of the pack. */
export const samples: Sample[] = [
	...passwordlessIdentitySamples,
	...twoFactorSamples,
	...eventDataSamples,
	...eventRegistrationSamples,
];

/** The operations of the pack, as its own tables have them, in the form `node resource operation`. */
export const operations: string[] = parts.flatMap(({ Node, service }) =>
	Object.entries(service.resources).flatMap(([resource, { operations: all }]) =>
		Object.keys(all).map((operation) => `${new Node().description.name} ${resource} ${operation}`),
	),
);

/** Operations of the pack that have no sample. */
export const missing = (): string[] => {
	const known = new Set(samples.map((sample) => labelOf({ ...sample, variant: undefined })));
	return operations.filter((operation) => !known.has(operation));
};

/** Samples of operations that the pack does not have. */
export const superfluous = (): string[] => {
	const offered = new Set(operations);
	return samples
		.filter((sample) => !offered.has(labelOf({ ...sample, variant: undefined })))
		.map(labelOf);
};
