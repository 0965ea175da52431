// Protects the advice and status of a failure that the engine copies, and keeps the response body out of its listed fields.
import { ServiceFailure } from '../../nodes/engine/errors';

const details = {
	advice: 'Try again later.',
	status: 429,
	code: 'LIMIT',
	uncertain: true,
	retryAfterMs: 90_000,
	statedCause: 'quota-exhausted' as const,
	isText: true,
	body: { message: 'Slow down' },
};
const failure = new ServiceFailure('Too many requests', details);

it('a copy of a failure keeps every detail that is not changed', () => {
	expect(failure.with({ message: 'Not added' })).toMatchObject({
		...details,
		message: 'Not added',
	});
	expect(failure.with({ advice: 'Wait.', uncertain: false })).toMatchObject({
		...details,
		message: 'Too many requests',
		advice: 'Wait.',
		uncertain: false,
	});
});

it('the body of a copied failure is not enumerable', () => {
	expect(Object.keys(failure.with({}))).not.toContain('body');
});
