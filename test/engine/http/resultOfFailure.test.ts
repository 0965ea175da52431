import { ServiceFailure } from '../../../nodes/engine/errors';
import { resultAfterRetries } from '../../../nodes/engine/http/pollOnce';

const createFailure = (details: ConstructorParameters<typeof ServiceFailure>[1]) =>
	new ServiceFailure('no', details);

describe('resultOfFailure', () => {
	it.each([404, 410])('returns missing for a %d of the service, whatever its body', (status) => {
		for (const body of [undefined, 'Event not found', { Message: 'no' }])
			expect(resultAfterRetries(createFailure({ status, body }))).toEqual({ kind: 'missing' });
	});

	it.each([400, 404, 503])(
		'returns unavailable for a %d with plain text, which comes from a proxy',
		(status) => {
			expect(resultAfterRetries(createFailure({ status, isText: true }))).toMatchObject({
				kind: 'unavailable',
			});
		},
	);

	it('returns the Retry-After of the service', () => {
		expect(resultAfterRetries(createFailure({ status: 429, retryAfterMs: 7000 }))).toMatchObject({
			kind: 'rateLimited',
			retryAfterMs: 7000,
		});
		expect(resultAfterRetries(createFailure({ status: 503, retryAfterMs: 7000 }))).toMatchObject({
			kind: 'unavailable',
			retryAfterMs: 7000,
		});
	});
});
