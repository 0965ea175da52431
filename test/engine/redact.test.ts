import { redact } from '../../nodes/engine/errors';

it('redact masks a secret that contains another one as a whole, in any order', () => {
	const secrets = ['abcd', 'abcd-1234'];
	expect(redact('key abcd-1234, code abcd', secrets)).toBe('key •••, code •••');
	expect(redact('key abcd-1234, code abcd', secrets.reverse())).toBe('key •••, code •••');
});
