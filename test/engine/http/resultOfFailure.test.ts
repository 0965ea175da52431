import { ServiceFailure } from '../../../nodes/engine/errors';
import { resultOfFailure } from '../../../nodes/engine/http/pollOnce';

const failure = (details: ConstructorParameters<typeof ServiceFailure>[1]) =>
	new ServiceFailure('no', details);

describe('the poll result of a failed request', () => {
	it.each([404, 410])('is missing for a %d of the service, whatever its body', (status) => {
		for (const body of [undefined, 'Event not found', { Message: 'no' }])
			expect(resultOfFailure(failure({ status, body }))).toEqual({ kind: 'missing' });
	});

	it.each([400, 404, 503])(
		'is unavailable for a %d with text, which comes from a proxy',
		(status) => {
			expect(resultOfFailure(failure({ status, isText: true }))).toMatchObject({
				kind: 'unavailable',
			});
		},
	);

	it('contains the pause that the service asks for', () => {
		expect(resultOfFailure(failure({ status: 429, retryAfterMs: 7000 }))).toMatchObject({
			kind: 'rateLimited',
			retryAfterMs: 7000,
		});
		expect(resultOfFailure(failure({ status: 503, retryAfterMs: 7000 }))).toMatchObject({
			kind: 'unavailable',
			retryAfterMs: 7000,
		});
	});
});
