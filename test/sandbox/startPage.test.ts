// Protects users who open the sandbox: the start page shows the credential of each service and the phone of each person.
import serviceTable from '../../contracts/services.json';
import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { twoFactor } from '../../sandbox/twoFactor';

interface Overview {
	services: Array<{ title: string; baseUrl: string; credential: Record<string, string> }>;
	people: Array<Record<string, unknown>>;
}

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ registrations: 1 });
});
afterAll(async () => await sandbox.close());

const readOverview = async (target = sandbox, name = '127.0.0.1') => {
	const address = target.url.replace('127.0.0.1', name);
	return (await (await fetch(`${address}/start/api/overview`)).json()) as Overview;
};

describe('the start page', () => {
	it('is at the root path, and may load files only from the sandbox', async () => {
		const response = await fetch(sandbox.url);
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
		expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
		const page = await response.text();
		for (const path of ['/phone?user=manager', '/phones']) expect(page).toContain(`href="${path}"`);
	});

	it('shows the credential of each service', async () => {
		const { services } = await readOverview();
		expect(services.map(({ title }) => title)).toEqual(
			Object.values(serviceTable).map(({ title }) => title),
		);
		const shownCredentials = services.map(({ baseUrl, credential }) => ({
			baseUrl,
			...credential,
		}));
		expect(shownCredentials).toEqual(Object.values(sandbox.credentials));
	});

	it('shows URLs with the host name of the request', async () => {
		const { services } = await readOverview(sandbox, 'localhost');
		for (const { baseUrl } of services) expect(baseUrl).toMatch(/^http:\/\/localhost:\d+\/\w/);
	});

	it('shows four people, each with a phone and without a private key', async () => {
		const { people } = await readOverview();
		const { user, manager, finance, deputy } = sandbox.demo;
		expect(people).toEqual(
			[user, manager, finance, deputy].map(({ name, email, phone, fingerprint }, index) => ({
				holder: ['guest', 'manager', 'finance', 'deputy'][index],
				name,
				email,
				phone,
				fingerprint,
				userId: expect.any(Number),
			})),
		);
		for (const field of ['phone', 'userId', 'fingerprint']) {
			expect(new Set(people.map((person) => person[field])).size).toBe(4);
		}
		for (const { holder, fingerprint, userId } of people) {
			const response = await fetch(`${sandbox.phoneUrl}/api/demo?user=${holder as string}`);
			expect(await response.json()).toMatchObject({ user: { holder, fingerprint, userId } });
			const key = `${sandbox.addresses.passwordlessIdentity}/key/${fingerprint as string}`;
			expect((await fetch(key)).status).toBe(200);
		}
		const ids = sandbox.control('twoFactor', 'users') as Array<Record<string, unknown>>;
		for (const { userId, email } of people) {
			expect(ids).toContainEqual(expect.objectContaining({ twofactor_id: userId, email }));
		}
	});

	it('rejects the phone of an unknown person', async () => {
		const response = await fetch(`${sandbox.phoneUrl}/api/demo?user=stranger`);
		expect(response.status).toBe(400);
	});

	it('shows only the services that run', async () => {
		const smallSandbox = await startSandbox({ services: [twoFactor] });
		const { services, people } = await readOverview(smallSandbox);
		await smallSandbox.close();
		expect(services).toHaveLength(1);
		expect(people).toHaveLength(4);
	});
});
