// Protects the built pack: its token module signs in plain Node.js, imports nothing and contains no encryption code.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, verify as rawVerify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(__dirname, '../../..');

describe('jose inside the built module', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'jwt-bundle-'));
	const file = path.join(folder, 'jwt.js');
	beforeAll(() => {
		const esbuild = path.join(root, 'node_modules', 'esbuild', 'bin', 'esbuild');
		const options = ['--bundle', '--platform=node', '--format=cjs', '--target=node20'];
		execFileSync(esbuild, ['nodes/engine/token/jwt.ts', ...options, `--outfile=${file}`], {
			cwd: root,
			stdio: 'pipe',
		});
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test('the module contains no encryption code, imports nothing and stays small', () => {
		const code = readFileSync(file, 'utf8');
		expect(code).not.toMatch(
			/CompactEncrypt|compactDecrypt|\bJWE\b|\bjwe\b|RSA-OAEP|AES-GCM|ECDH-ES|PBES2/,
		);
		expect(code).not.toMatch(/\brequire\(/);
		expect(code.length).toBeLessThan(64 * 1024);
	});

	test('node:crypto verifies a token that the module signs in a plain Node process', () => {
		const { privateKey, publicKey } = generateKeyPairSync('ed25519');
		const script = `const { importPrivateKey, signJwt } = require(${JSON.stringify(file)});
			importPrivateKey(process.env.KEY, 'EdDSA').then(async (key) => console.log(await signJwt({ sub: 'x' }, key)));`;
		const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
		const output = execFileSync(process.execPath, ['-e', script], {
			env: { KEY, NODE_NO_WARNINGS: '1' },
			encoding: 'utf8',
		});
		const [head, body, signature] = output.trim().split('.') as [string, string, string];
		const bytes = Buffer.from(signature, 'base64url');
		expect(rawVerify(null, Buffer.from(`${head}.${body}`), publicKey, bytes)).toBe(true);
	});
});
