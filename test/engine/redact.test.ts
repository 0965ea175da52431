import { redact } from '../../nodes/engine/errors';

it('redact masks the whole of a secret that contains another secret, in any order of the secrets', () => {
	const secrets = ['abcd', 'abcd-1234'];
	expect(redact('key abcd-1234, code abcd', secrets)).toBe('key •••, code •••');
	expect(redact('key abcd-1234, code abcd', secrets.reverse())).toBe('key •••, code •••');
});
