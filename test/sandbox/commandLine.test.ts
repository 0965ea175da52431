// Protects users of the sandbox command: it prints URLs and keys, stops on a signal, and reports a mistake with its usage.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { get } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import services from '../../contracts/services.json';

const root = join(__dirname, '..', '..');
const startedProcesses: ChildProcess[] = [];

/** Starts the program as `npm run sandbox` does. */
function startCommand(...args: string[]) {
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts', ...args], {
		cwd: root,
	});
	startedProcesses.push(child);
	const output = { stdout: '', stderr: '' };
	child.stdout.on('data', (chunk) => (output.stdout += chunk));
	child.stderr.on('data', (chunk) => (output.stderr += chunk));
	const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve));
	const waitForOutput = (text: string) =>
		new Promise<void>((resolve, reject) => {
			const checkOutput = () => {
				if (output.stdout.includes(text)) resolve();
			};
			child.stdout.on('data', checkOutput);
			child.once('close', () => reject(new Error(`ended without '${text}': ${output.stderr}`)));
			checkOutput();
		});
	return { child, output, exitCode, waitForOutput };
}

afterAll(() => startedProcesses.forEach((child) => child.kill('SIGKILL')));

/** Runs the program in this process, which has loaded most of its modules already, until the program prints or exits. */
async function runInProcess(...args: string[]) {
	const output = { stdout: '', stderr: '', code: 0 };
	const { argv } = process;
	process.argv = [process.execPath, 'main.ts', ...args];
	const spies: jest.SpyInstance[] = [];
	const ended = new Promise<void>((resolve) => {
		spies.push(
			jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
				output.stdout += `${text}`;
				resolve();
				return true;
			}),
			jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
				output.stderr += `${text}`;
				return true;
			}),
			jest.spyOn(process, 'exit').mockImplementation((code) => {
				output.code = Number(code);
				resolve();
				return undefined as never;
			}),
		);
	});
	try {
		jest.isolateModules(() => void jest.requireActual('../../sandbox/main'));
		await ended;
	} finally {
		process.argv = argv;
		for (const spy of spies) spy.mockRestore();
	}
	return output;
}

/** Sends a request with the given Host header and returns the status of its response. */
const getStatusForHost = async (url: string, host: string) =>
	await new Promise((resolve, reject) => {
		const request = get(url, { headers: { host } }, (response) => {
			response.resume();
			resolve(response.statusCode);
		});
		request.on('error', reject);
	});

/** Sends a request with an unknown query parameter and one to an unknown path, and returns both statuses. */
async function getStatusesOfUnknownNames(startOutput: string) {
	const [, address] = /Two-Factor +(\S+)/.exec(startOutput)!;
	const [, name, value] = /(X-Twofactor-API-Key): (\S+)/.exec(startOutput)!;
	const headers = { [name!]: value! };
	const users = `${address}/protected/json/users/100001`;
	const statusResponse = await fetch(`${users}/status?colour=red`, { headers });
	const removeResponse = await fetch(`${users}/remove`, { method: 'POST', headers });
	return [statusResponse.status, removeResponse.status];
}

it('the command prints URLs, keys, the phone and the desk, serves requests, and stops on SIGINT', async () => {
	const { child, output, exitCode, waitForOutput } = startCommand('--port', '0');
	await waitForOutput('Press Ctrl+C to stop');
	const addresses = output.stdout.match(/http:\/\/127\.0\.0\.1:\d+\/\S*/g)!;
	expect(addresses.map((address) => new URL(address).pathname)).toEqual([
		...Object.values(services).map(({ sandbox }) => sandbox),
		'/',
		'/phone',
		'/phone',
		'/phones',
		'/desk',
		'/control',
	]);
	expect(output.stdout).toMatch(/X-Twofactor-API-Key: \S+/);
	expect(output.stdout).toMatch(/X-API-Key: \S+/);
	expect(output.stdout).toMatch(/Authorization: \S+/);
	expect(output.stdout).toContain('BEGIN PRIVATE KEY');
	const [startUrl, guestUrl, managerUrl, phonesUrl, deskUrl, controlUrl] = addresses.slice(-6);
	for (const url of [startUrl, guestUrl, managerUrl, phonesUrl, deskUrl]) {
		expect((await fetch(url!)).status).toBe(200);
	}
	expect((await fetch(`${controlUrl}/clock`)).status).toBe(200);
	// Without --strict the sandbox accepts names and paths that the contracts do not define.
	expect(await getStatusesOfUnknownNames(output.stdout)).toEqual([200, 200]);
	expect(await getStatusForHost(`${controlUrl}/clock`, 'one')).toBe(403);
	const phone = await fetch(new URL('/phone/api/stream', guestUrl));
	const phoneStream = phone.text().catch(() => 'cut');
	child.kill('SIGINT');
	expect(await exitCode).toBe(0);
	expect(await phoneStream).toBe('cut');
	expect(output.stderr).toBe('');
});

it('the command accepts --registrations, --strict and --name, and stops on SIGTERM', async () => {
	const names = ['--name', 'one', '--name', 'two'];
	const { child, output, exitCode, waitForOutput } = startCommand(
		...['--port', '0', '--registrations', '1', '--strict', ...names],
	);
	await waitForOutput('Press Ctrl+C to stop');
	expect(await getStatusesOfUnknownNames(output.stdout)).toEqual([400, 404]);
	const clock = `${/Control +(\S+)/.exec(output.stdout)![1]}/clock`;
	const hosts = ['one:4010', 'two', 'localhost', 'three'];
	const statuses = await Promise.all(
		hosts.map(async (host) => await getStatusForHost(clock, host)),
	);
	expect(statuses).toEqual([200, 200, 200, 403]);
	const phone = await fetch(new URL('/phone/api/stream', clock));
	const phoneStream = phone.text().catch(() => 'cut');
	child.kill('SIGTERM');
	expect(await exitCode).toBe(0);
	expect(await phoneStream).toBe('cut');
	expect(output.stderr).toBe('');
});

it('the command prints one line if the port is in use', async () => {
	const otherServer = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => otherServer.once('listening', resolve));
	const { port } = otherServer.address() as AddressInfo;
	const { stderr, code } = await runInProcess('--port', String(port));
	expect(code).toBe(1);
	otherServer.close();
	expect(stderr).toBe(
		`Port ${port} is in use. Choose another with --port, or stop the program that uses it.\n`,
	);
});

it('the command prints its usage with --help', async () => {
	const { stdout, code } = await runInProcess('--help');
	expect(code).toBe(0);
	for (const option of ['--port', '--registrations', '--name', '--strict', '--help'])
		expect(stdout).toContain(option);
});

it.each([
	['--port', 'many'],
	['--registrations', '100001'],
	['--colour', 'red'],
])('the command rejects %s %s and prints its usage', async (...args) => {
	const { stderr, code } = await runInProcess(...args);
	expect(code).toBe(1);
	expect(stderr).toContain(args[0]);
	expect(stderr).toContain('npm run sandbox');
	expect(stderr).not.toContain('    at ');
});
