// Protects how a trigger understands the failure of a list: missing, rate-limited or unavailable.
import { ServiceFailure } from '../../../nodes/engine/errors';
import { resultOfError } from '../../../nodes/engine/http/pollOnce';

/** Returns the poll result for a failure. */
const resultFor = (details: ConstructorParameters<typeof ServiceFailure>[1]) =>
	resultOfError(new ServiceFailure('no', details), { secrets: new Set() });

describe('resultOfError', () => {
	it.each([404, 410])('returns missing for a %d of the service, whatever its body', (status) => {
		for (const body of [undefined, 'Event not found', { Message: 'no' }])
			expect(resultFor({ status, body })).toEqual({ kind: 'missing' });
	});

	it.each([400, 404, 503])(
		'returns unavailable for a %d with plain text, which comes from a proxy',
		(status) => {
			expect(resultFor({ status, isText: true })).toMatchObject({
				kind: 'unavailable',
			});
		},
	);

	it('returns the Retry-After of the service', () => {
		expect(resultFor({ status: 429, retryAfterMs: 7000 })).toMatchObject({
			kind: 'rateLimited',
			retryAfterMs: 7000,
		});
		expect(resultFor({ status: 503, retryAfterMs: 7000 })).toMatchObject({
			kind: 'unavailable',
			retryAfterMs: 7000,
		});
	});
});
