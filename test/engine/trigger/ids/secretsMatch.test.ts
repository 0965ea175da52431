import { secretsMatch } from '../../../../nodes/engine/trigger/ids/webhook/secret';

it('secretsMatch compares the whole secret', () => {
	expect(secretsMatch('Sesame', 'Sesame')).toBe(true);
	for (const other of ['', 'sesame', 'Sesame ', 'Sesam', 'Sesame\u0000']) {
		expect(secretsMatch(other, 'Sesame')).toBe(false);
	}
});
