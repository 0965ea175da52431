import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const started: ChildProcess[] = [];

function run(...args: string[]) {
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts', ...args], {
		cwd: root,
	});
	started.push(child);
	const output = { out: '', err: '' };
	child.stdout.on('data', (chunk) => (output.out += chunk));
	child.stderr.on('data', (chunk) => (output.err += chunk));
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	const printed = (text: string) =>
		new Promise<void>((resolve, reject) => {
			const look = () => {
				if (output.out.includes(text)) resolve();
			};
			child.stdout.on('data', look);
			child.once('close', () => reject(new Error(`ended without '${text}': ${output.err}`)));
			look();
		});
	return { child, output, ended, printed };
}

afterAll(() => started.forEach((child) => child.kill('SIGKILL')));

it.each(['SIGINT', 'SIGTERM'] as const)(
	'prints addresses, keys and the phone, answers, and stops cleanly on %s',
	async (signal) => {
		const { child, output, ended, printed } = run('--port', '0');
		await printed('Ctrl+C stops it');
		const addresses = output.out.match(/http:\/\/127\.0\.0\.1:\d+\/\S+/g)!;
		expect(addresses.map((address) => new URL(address).pathname)).toEqual([
			'/identity',
			'/two-factor',
			'/event-data',
			'/event-registration',
			'/phone',
			'/control',
		]);
		expect(output.out).toMatch(/X-Twofactor-API-Key: \S+/);
		expect(output.out).toMatch(/X-API-Key: \S+/);
		expect(output.out).toMatch(/Authorization: \S+/);
		expect(output.out).toContain('BEGIN PRIVATE KEY');
		expect((await fetch(`${addresses[5]}/clock`)).status).toBe(200);
		const phone = await fetch(`${addresses[4]}/api/stream`);
		const cut = phone.text().catch(() => 'cut');
		child.kill(signal);
		expect(await ended).toBe(0);
		expect(await cut).toBe('cut');
		expect(output.err).toBe('');
	},
);

it('says in one line that the port is in use', async () => {
	const other = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => other.once('listening', resolve));
	const { port } = other.address() as AddressInfo;
	const { output, ended } = run('--port', String(port));
	expect(await ended).toBe(1);
	other.close();
	expect(output.err).toBe(
		`Port ${port} is in use. Choose another with --port, or stop what uses it.\n`,
	);
});

it('explains itself', async () => {
	const { output, ended } = run('--help');
	expect(await ended).toBe(0);
	for (const option of ['--port', '--registrations', '--help'])
		expect(output.out).toContain(option);
});

it.each([
	['--port', 'many'],
	['--registrations', '100001'],
	['--colour', 'red'],
])('refuses %s %s and shows the usage', async (...args) => {
	const { output, ended } = run(...args);
	expect(await ended).toBe(1);
	expect(output.err).toContain(args[0]);
	expect(output.err).toContain('npm run sandbox');
	expect(output.err).not.toContain('    at ');
});
