// Protects webhooks from callers without the secret: only an identical one is accepted.
import { secretsMatch } from '../../../../nodes/engine/trigger/ids/webhook/secret';

it('secretsMatch accepts only an identical secret', () => {
	expect(secretsMatch('Sesame', 'Sesame')).toBe(true);
	for (const otherSecret of ['', 'sesame', 'Sesame ', 'Sesam', 'Sesame\u0000']) {
		expect(secretsMatch(otherSecret, 'Sesame')).toBe(false);
	}
});
