import { sameSecret } from '../../../../nodes/engine/trigger/ids/webhook/secret';

it('sameSecret compares the whole secret', () => {
	expect(sameSecret('Sesame', 'Sesame')).toBe(true);
	for (const other of ['', 'sesame', 'Sesame ', 'Sesam', 'Sesame\u0000']) {
		expect(sameSecret(other, 'Sesame')).toBe(false);
	}
});
