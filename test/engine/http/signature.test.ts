// Protects triggers from forged submissions: a signature is valid for one trigger, body and key, and for five minutes.
import fc from 'fast-check';

import { keysOf, signSubmission, verifySubmission } from '../../../nodes/engine/http/signature';
import { toyService } from '../../support/toy';

const service = { ...toyService({}), secretFields: ['apiKey', 'triggerSecret'] };
const NOW = Date.UTC(2026, 10, 15, 12);
const ID = '3f1c2d54-0b5e-4d0e-9d0c-6a1f0d7c1f11';
const BODY = '{"ids":[{"id":"ä"}]}';
const KEY = 'Sesame-1234';
const sign = (url = `https://n8n.example.com/webhook/${ID}/watch`) =>
	signSubmission(url, BODY, KEY, NOW);
const verify = (header = sign(), body: string | Buffer = BODY, key = KEY, id = ID, now = NOW) =>
	verifySubmission(header, body, key, id, now);

describe('keysOf', () => {
	it('returns the Trigger Secret for callers and for signing if it is set', () => {
		expect(keysOf(service, { apiKey: 'k', triggerSecret: KEY })).toEqual({
			secret: KEY,
			signing: KEY,
		});
	});

	it('returns a signing key derived from the API secret if no Trigger Secret is set', () => {
		const { secret, signing } = keysOf(service, { apiKey: 'my-api-key', triggerSecret: '' });
		expect(secret).toBe('');
		expect(signing).toHaveLength(32);
		expect(`${signing.toString('latin1')}`).not.toContain('my-api-key');
		expect(keysOf(service, { apiKey: 'my-api-key' }).signing).toEqual(signing);
		expect(keysOf(service, { apiKey: 'my-api-kez' }).signing).not.toEqual(signing);
	});

	it('returns no keys if neither secret is set, and no signature is valid then', () => {
		expect(keysOf(service, { apiKey: '' })).toEqual({ secret: '', signing: '' });
		expect(verifySubmission(sign(), BODY, '', ID, NOW)).toBe('invalid');
	});
});

describe('a signature', () => {
	it('is valid for the body as string and as bytes, and does not contain the key', () => {
		expect([verify(), verify(sign(), Buffer.from(BODY))]).toEqual(['valid', 'valid']);
		expect(sign()).toMatch(/^t=1794744000,v1=[0-9a-f]{64},path=\/webhook\/3f1c[-0-9a-f]+\/watch$/);
		expect(sign()).not.toContain(KEY);
	});

	it.each([
		['behind a proxy that drops a prefix', `https://example.com/tools/n8n/webhook/${ID}/watch`],
		['in a network of containers', `http://n8n:5678/webhook/${ID}/watch`],
		['with another webhook path prefix', `https://example.com/hooks/${ID}/watch`],
		['at the test URL', `https://example.com/webhook-test/${ID}/watch`],
		['with a slash at the end', `https://example.com/webhook/${ID}/watch/`],
		['with a custom path', `https://example.com/webhook/${ID}/a/b,c/d?e=f#g`],
	])('is valid %s', (_, url) => {
		expect(verify(sign(url))).toBe('valid');
	});

	it('is valid for an ID that must be URL-encoded', () => {
		const url = 'https://example.com/webhook/für alle/watch';
		expect(verify(signSubmission(url, BODY, KEY, NOW), BODY, KEY, 'für alle')).toBe('valid');
	});

	it('is not valid for another trigger', () => {
		expect(verify(sign(), BODY, KEY, 'another')).toBe('otherTrigger');
		expect(verify(sign(), BODY, KEY, '')).toBe('otherTrigger');
	});

	it.each([-301, -300, 0, 300, 301])(
		'is valid only within 300 seconds of signing: checked after %s seconds',
		(seconds) => {
			const result = verify(sign(), BODY, KEY, ID, NOW + seconds * 1000);
			expect(result).toBe(Math.abs(seconds) > 300 ? 'outsideTolerance' : 'valid');
		},
	);

	it('is not valid if any byte of header, body or key was changed', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('header', 'body', 'key'),
				fc.nat(),
				fc.integer({ min: 1, max: 127 }),
				(part, position, bitMask) => {
					const request = { header: sign(), body: BODY, key: KEY };
					const bytes = Buffer.from(request[part]);
					bytes[position % bytes.length]! ^= bitMask;
					request[part] = bytes.toString('latin1');
					expect(verify(request.header, request.body, request.key)).not.toBe('valid');
				},
			),
		);
	});

	it.each(['', 't=1', `v1=${'0'.repeat(64)}`, sign().replace(/v1=..../, 'v1=')])(
		'is rejected if the header is %j',
		(header) => {
			expect(verify(header)).toBe('invalid');
		},
	);
});
