import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { get } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import services from '../../contracts/services.json';

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
	'prints addresses, keys, the phone and the desk, answers, and stops cleanly on %s',
	async (signal) => {
		const { child, output, ended, printed } = run('--port', '0');
		await printed('Press Ctrl+C to stop');
		const addresses = output.out.match(/http:\/\/127\.0\.0\.1:\d+\/\S*/g)!;
		expect(addresses.map((address) => new URL(address).pathname)).toEqual([
			...Object.values(services).map(({ sandbox }) => sandbox),
			'/',
			'/phone',
			'/phone',
			'/desk',
			'/control',
		]);
		expect(output.out).toMatch(/X-Twofactor-API-Key: \S+/);
		expect(output.out).toMatch(/X-API-Key: \S+/);
		expect(output.out).toMatch(/Authorization: \S+/);
		expect(output.out).toContain('BEGIN PRIVATE KEY');
		const [startUrl, guestUrl, managerUrl, deskUrl, controlUrl] = addresses.slice(-5);
		for (const url of [startUrl, guestUrl, managerUrl, deskUrl]) {
			expect((await fetch(url!)).status).toBe(200);
		}
		expect((await fetch(`${controlUrl}/clock`)).status).toBe(200);
		const phone = await fetch(new URL('/phone/api/stream', guestUrl));
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
		`Port ${port} is in use. Choose another with --port, or stop the program that uses it.\n`,
	);
});

it('explains itself', async () => {
	const { output, ended } = run('--help');
	expect(await ended).toBe(0);
	for (const option of ['--port', '--registrations', '--name', '--strict', '--help'])
		expect(output.out).toContain(option);
});

it.each([
	['overlooks names and paths that the contracts do not know', [], [200, 200]],
	['refuses them when it is strict', ['--strict'], [400, 404]],
])('%s', async (_what, options, statuses) => {
	const { child, output, ended, printed } = run('--port', '0', '--registrations', '1', ...options);
	await printed('Press Ctrl+C to stop');
	const [, address] = /Two-Factor +(\S+)/.exec(output.out)!;
	const [, name, value] = /(X-Twofactor-API-Key): (\S+)/.exec(output.out)!;
	const headers = { [name!]: value! };
	const users = `${address}/protected/json/users/100001`;
	const status = await fetch(`${users}/status?colour=red`, { headers });
	const removed = await fetch(`${users}/remove`, { method: 'POST', headers });
	expect([status.status, removed.status]).toEqual(statuses);
	child.kill('SIGTERM');
	expect(await ended).toBe(0);
});

it('answers to the names that it was given, and to no other', async () => {
	const { child, output, ended, printed } = run('--port', '0', '--name', 'one', '--name', 'two');
	await printed('Press Ctrl+C to stop');
	const clock = `${/Control +(\S+)/.exec(output.out)![1]}/clock`;
	const statusAs = (host: string) =>
		new Promise((resolve, reject) => {
			const call = get(clock, { headers: { host } }, (answer) => {
				answer.resume();
				resolve(answer.statusCode);
			});
			call.on('error', reject);
		});
	const names = ['one:4010', 'two', 'localhost', 'three'];
	expect(await Promise.all(names.map(statusAs))).toEqual([200, 200, 200, 403]);
	child.kill('SIGTERM');
	expect(await ended).toBe(0);
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
