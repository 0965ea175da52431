// Protects the lab's n8n from other users of the machine: its folder and its owner's password are private.
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { formatReadyMessage } from '../../lab/messages';
import { ensureOwner, passwordFileOf } from '../../lab/owner';
import { ensurePrivateFolder } from '../../lab/privateFolder';
import { signIn } from '../../lab/rest';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

const readPermissions = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the run folder', () => {
	it('is private to its owner, even if it was public before', async () => {
		const fresh = path.join(folder, 'a', 'b');
		await ensurePrivateFolder(fresh);
		expect(await readPermissions(fresh)).toBe('700');
		expect(await readPermissions(path.dirname(fresh))).toBe('700');
		await chmod(fresh, 0o755);
		await writeFile(path.join(fresh, 'kept'), '');
		await ensurePrivateFolder(fresh);
		expect(await readPermissions(fresh)).toBe('700');
		expect(await readFile(path.join(fresh, 'kept'), 'utf8')).toBe('');
	});

	it('is created private, or made private, before the lab uses it', async () => {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const old = path.join(folder, 'old');
		await mkdir(old, { mode: 0o755 });
		for (const userFolder of [old, path.join(folder, 'new')]) {
			await expect(startLab({ userFolder, port })).rejects.toThrow(`Port ${port}`);
			expect(await readPermissions(userFolder)).toBe('700');
		}
		await new Promise((resolve) => server.close(resolve));
	});
});

describe("the owner's password", () => {
	it('is generated once per folder, by rules that n8n accepts, in a private file', async () => {
		const { password, email } = await ensureOwner(folder);
		expect(email).toBe('owner@gatehouse.example');
		expect(password).toMatch(/^[A-Za-z0-9]{20}$/);
		expect(password).toMatch(/[A-Z]/);
		expect(password).toMatch(/\d/);
		expect(await readPermissions(passwordFileOf(folder))).toBe('600');
		expect((await ensureOwner(folder)).password).toBe(password);
		const otherFolder = path.join(folder, 'other');
		await mkdir(otherFolder);
		expect((await ensureOwner(otherFolder)).password).not.toBe(password);
	});

	it('always has a digit and a capital letter', async () => {
		for (let attempt = 0; attempt < 200; attempt++) {
			const { password } = await ensureOwner(folder);
			expect(password).toMatch(/^(?=.*[A-Z])(?=.*\d)[A-Za-z0-9]{20}$/);
			await rm(passwordFileOf(folder));
		}
	});

	it('may be changed by the user, and is generated again if the file is damaged', async () => {
		await writeFile(passwordFileOf(folder), 'My own 1st password\n', { mode: 0o644 });
		expect((await ensureOwner(folder)).password).toBe('My own 1st password');
		expect(await readPermissions(passwordFileOf(folder))).toBe('600');
		await writeFile(passwordFileOf(folder), '');
		const { password } = await ensureOwner(folder);
		expect(password).toHaveLength(20);
		expect((await ensureOwner(folder)).password).toBe(password);
	});

	it('is printed with the URLs', async () => {
		const owner = await ensureOwner(folder);
		const url = 'http://127.0.0.1:2';
		const [phoneUrl, phonesUrl, deskUrl] = ['phone', 'phones', 'desk'].map(
			(page) => `${url}/${page}`,
		);
		const sandbox = { url, phoneUrl, phonesUrl, deskUrl };
		const lab = { n8nUrl: 'http://127.0.0.1:1', sandbox, owner, examples: [] };
		const text = formatReadyMessage(lab as unknown as Lab);
		expect(text).toContain('http://127.0.0.1:1');
		expect(text).toContain('Sandbox   http://127.0.0.1:2\n');
		expect(text).toContain('Phones    http://127.0.0.1:2/phone?user=guest\n');
		expect(text).toContain(' http://127.0.0.1:2/phone?user=manager\n');
		expect(text).toContain(' http://127.0.0.1:2/phones\n');
		expect(text).toContain('Desk      http://127.0.0.1:2/desk\n');
		expect(text).toContain(`${owner.email}   password  ${owner.password}`);
	});
});

describe('signing in', () => {
	interface ReceivedRequest {
		path: string;
		body: Record<string, unknown>;
	}
	let server: Server;
	afterEach(() => server.close());

	/** Starts a server that responds like n8n. `isNew`: it has no owner yet. */
	async function startFakeN8n({ isNew, password }: { isNew: boolean; password?: string }) {
		const requests: ReceivedRequest[] = [];
		const readBody = async (request: IncomingMessage) => {
			let text = '';
			for await (const chunk of request) text += String(chunk);
			return JSON.parse(text || '{}') as Record<string, unknown>;
		};
		server = createServer((request, response) => {
			void readBody(request).then((body) => {
				const respondWith = (status: number, data: object) =>
					response
						.writeHead(status, {
							'content-type': 'application/json',
							'set-cookie': 'n8n=1; Path=/',
						})
						.end(JSON.stringify(data));
				if (request.url === '/rest/settings') {
					return respondWith(200, { data: { userManagement: { showSetupOnFirstLoad: isNew } } });
				}
				requests.push({ path: request.url!, body });
				const isAccepted = isNew || body.password === password;
				return respondWith(
					isAccepted ? 200 : 401,
					isAccepted ? { data: {} } : { message: 'Wrong password' },
				);
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
	}

	it('creates the owner in a new n8n, and logs in to an n8n that has an owner', async () => {
		const owner = await ensureOwner(folder);
		const newN8n = await startFakeN8n({ isNew: true });
		await signIn(newN8n.url, owner, folder);
		expect(newN8n.requests).toEqual([{ path: '/rest/owner/setup', body: { ...owner } }]);
		server.close();
		const usedN8n = await startFakeN8n({ isNew: false, password: owner.password });
		await signIn(usedN8n.url, owner, folder);
		const login = { emailOrLdapLoginId: owner.email, password: owner.password };
		expect(usedN8n.requests).toEqual([{ path: '/rest/login', body: login }]);
	});

	it('names the password file if the password was changed in n8n', async () => {
		const owner = await ensureOwner(folder);
		const { url } = await startFakeN8n({ isNew: false, password: 'Changed-in-n8n-1' });
		const failure = await signIn(url, owner, folder).catch((error: Error) => error.message);
		expect(failure).toContain('Wrong password');
		expect(failure).toContain(passwordFileOf(folder));
		expect(failure).toContain('--clean');
		expect(failure).not.toContain(owner.password);
	});
});
