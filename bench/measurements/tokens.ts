import { CompactSign, importJWK, jwtVerify } from 'jose';
import { generateKeyPairSync } from 'node:crypto';

import { importPrivateKey, signJwt, verifyJwt } from '../../nodes/engine/token/jwt';
import { interleave } from '../harness/measurement';
import type { Contender, Measurement } from '../harness/measurement';

const ALGORITHM = 'EdDSA';
const BARE_JOSE = 'bare jose';
const GATEHOUSE = 'Gatehouse';
const CALLS_PER_ROUND = 2000;
const QUICK_CALLS_PER_ROUND = 400;

/** Creates a contender that measures how many sequential calls finish per second. */
const createRateContender =
	(callCount: number, work: () => Promise<unknown>): Contender =>
	async () => {
		const startedAtMs = performance.now();
		for (let call = 0; call < callCount; call++) await work();
		return { rate: (1000 * callCount) / (performance.now() - startedAtMs) };
	};

/** Measures how many tokens are signed and verified per second. */
export const tokens: Measurement = {
	name: 'tokens',
	title: 'Tokens',
	method:
		'Signs and verifies a small token with an Ed25519 key, one call after the other in one process. Both use the same library; the pack adds its own checks of claims, sizes, algorithms and keys, and imports each key in the form in which the service sends it.',
	async run(bench) {
		const { privateKey } = generateKeyPairSync('ed25519');
		const key = await importPrivateKey(
			privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
			ALGORITHM,
		);
		const publicJwk = { ...key.publicJwk, alg: ALGORITHM };
		const nowSeconds = Math.floor(Date.now() / 1000);
		const claims = {
			iss: key.fingerprint,
			sub: 'somebody',
			iat: nowSeconds,
			exp: nowSeconds + 86_400,
		};
		const encodePayload = () => Buffer.from(JSON.stringify(claims));
		const header = { alg: ALGORITHM, typ: 'JWT', kid: key.fingerprint };
		const token = await signJwt(claims, key);
		const callCount = bench.isQuick ? QUICK_CALLS_PER_ROUND : CALLS_PER_ROUND;
		const signing = await interleave(
			bench,
			{ name: 'sign' },
			{
				[BARE_JOSE]: createRateContender(
					callCount,
					async () =>
						await new CompactSign(encodePayload()).setProtectedHeader(header).sign(key.privateKey),
				),
				[GATEHOUSE]: createRateContender(callCount, async () => await signJwt(claims, key)),
			},
		);
		const verifying = await interleave(
			bench,
			{ name: 'verify' },
			{
				[BARE_JOSE]: createRateContender(
					callCount,
					async () => await jwtVerify(token, await importJWK({ ...publicJwk }, ALGORITHM)),
				),
				[GATEHOUSE]: createRateContender(
					callCount,
					async () => await verifyJwt(token, { ...publicJwk }),
				),
			},
		);
		return [
			{
				name: 'tokens',
				unit: 'per second',
				rowHeader: 'operation',
				contenders: [BARE_JOSE, GATEHOUSE],
				rows: [signing.rate!, verifying.rate!],
				goals: ['sign', 'verify'].map((row) => ({
					row,
					contender: GATEHOUSE,
					against: BARE_JOSE,
					atLeast: 0.9,
				})),
			},
		];
	},
};
