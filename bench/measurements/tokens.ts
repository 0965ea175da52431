import { CompactSign, importJWK, jwtVerify } from 'jose';
import { generateKeyPairSync } from 'node:crypto';

import { importPrivateKey, signJwt, verifyJwt } from '../../nodes/engine/token/jwt';
import { interleave } from '../harness/measurement';
import type { Contender, Measurement } from '../harness/measurement';

const ALGORITHM = 'EdDSA';
const BARE = 'bare jose';
const OURS = 'Gatehouse';
const PER_ROUND = 2000;
const QUICK_PER_ROUND = 400;

/** Measures how many sequential calls finish per second. */
const rate =
	(times: number, work: () => Promise<unknown>): Contender =>
	async () => {
		const began = performance.now();
		for (let time = 0; time < times; time++) await work();
		return { rate: (1000 * times) / (performance.now() - began) };
	};

/** Tokens signed and verified. */
export const tokens: Measurement = {
	name: 'tokens',
	title: 'Tokens',
	about:
		'Signing and verifying a small token with an Ed25519 key, one after the other in one process. Both use the same library; the pack adds its own checks of claims, sizes, algorithms and keys, and reads each key as it comes from the service.',
	async run(bench) {
		const { privateKey } = generateKeyPairSync('ed25519');
		const key = await importPrivateKey(
			privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
			ALGORITHM,
		);
		const publicJwk = { ...key.publicJwk, alg: ALGORITHM };
		const now = Math.floor(Date.now() / 1000);
		const claims = { iss: key.fingerprint, sub: 'somebody', iat: now, exp: now + 86_400 };
		const payload = () => Buffer.from(JSON.stringify(claims));
		const header = { alg: ALGORITHM, typ: 'JWT', kid: key.fingerprint };
		const token = await signJwt(claims, key);
		const times = bench.quick ? QUICK_PER_ROUND : PER_ROUND;
		const signing = await interleave(
			bench,
			{ name: 'sign' },
			{
				[BARE]: rate(
					times,
					async () =>
						await new CompactSign(payload()).setProtectedHeader(header).sign(key.privateKey),
				),
				[OURS]: rate(times, async () => await signJwt(claims, key)),
			},
		);
		const verifying = await interleave(
			bench,
			{ name: 'verify' },
			{
				[BARE]: rate(
					times,
					async () => await jwtVerify(token, await importJWK({ ...publicJwk }, ALGORITHM)),
				),
				[OURS]: rate(times, async () => await verifyJwt(token, { ...publicJwk })),
			},
		);
		return [
			{
				name: 'tokens',
				unit: 'per second',
				rowHeader: 'what is done',
				contenders: [BARE, OURS],
				rows: [signing.rate!, verifying.rate!],
				goals: ['sign', 'verify'].map((row) => ({
					row,
					contender: OURS,
					against: BARE,
					atLeast: 0.9,
				})),
			},
		];
	},
};
