import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { Agent } from 'node:http';

import { LabError } from './errors';
import { passwordFileOf } from './owner';
import type { Owner } from './owner';

/** n8n binds a session to this ID; a browser generates its own. */
const BROWSER_ID = 'gatehouse-lab';

/** Client of n8n's own REST interface, signed in as the owner. Paths are relative to /rest; `unwrap` reads the responses. */
export type RestClient = AxiosInstance;

/** Returns the contents of n8n's `{data}` envelope. */
export const unwrap = <T>(body: unknown): T => (body as { data: T }).data;

/** Signs in, after creating the owner in a new n8n, and returns a client that carries the session. */
export async function signIn(
	n8nUrl: string,
	owner: Owner,
	userFolder: string,
): Promise<RestClient> {
	const client = axios.create({
		baseURL: `${n8nUrl}/rest`,
		headers: { 'browser-id': BROWSER_ID },
		proxy: false,
		// n8n closes a keep-alive connection after five idle seconds: a request sent at that moment would fail.
		httpAgent: new Agent({ keepAlive: false }),
		timeout: 60_000,
	});
	const settings = unwrap<{ userManagement: { showSetupOnFirstLoad?: boolean } }>(
		(await client.get('/settings')).data,
	);
	const isNew = settings.userManagement.showSetupOnFirstLoad === true;
	const response = isNew
		? await client.post('/owner/setup', owner, { validateStatus: () => true })
		: await client.post(
				'/login',
				{ emailOrLdapLoginId: owner.email, password: owner.password },
				{ validateStatus: () => true },
			);
	if (response.status !== 200) {
		const { message = `status ${response.status}` } = response.data as { message?: string };
		throw new LabError(
			`n8n did not let ${owner.email} in (${message}): if you changed the password in n8n, write it into ${passwordFileOf(userFolder)}; otherwise 'npm start -- --clean' starts with a fresh n8n.`,
		);
	}
	const cookies = response.headers['set-cookie'] ?? [];
	client.defaults.headers.common.Cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
	return client;
}
