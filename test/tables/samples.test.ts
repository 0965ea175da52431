// Protects what the tests of all operations prove: each operation has a sample, which says what it changes at the service.
import {
	operationsWithoutSample,
	operations,
	samples,
	samplesWithoutOperation,
} from '../support/samples';
import { labelOf } from '../support/samples/sample';

it('there is a sample for every operation of the pack, and no other', () => {
	expect(operations).not.toEqual([]);
	expect(operationsWithoutSample()).toEqual([]);
	expect(samplesWithoutOperation()).toEqual([]);
	expect(new Set(samples.map(labelOf)).size).toBe(samples.length);
});

it('every sample says what it changes at the service', () => {
	expect(samples.filter((sample) => !('changes' in sample)).map(labelOf)).toEqual([]);
});

it('every sample says what happens with an unknown ID', () => {
	expect(samples.filter((sample) => !('missingRecord' in sample)).map(labelOf)).toEqual([]);
});
