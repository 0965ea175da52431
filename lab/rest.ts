import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { Agent } from 'node:http';

import { LabError } from './errors';
import { passwordFile } from './owner';
import type { Owner } from './owner';

/** What n8n binds a session to; a browser makes up its own. */
const browserId = 'gatehouse-lab';

/** Talks to n8n's own REST interface as the owner: paths are relative to /rest, answers are unwrapped by `data`. */
export type RestClient = AxiosInstance;

/** Reads what n8n wrapped in `{data}`. */
export const unwrap = <T>(body: unknown): T => (body as { data: T }).data;

/** Signs in, after making the owner if n8n is new, and gives a client that carries the session. */
export async function signIn(
	n8nUrl: string,
	owner: Owner,
	userFolder: string,
): Promise<RestClient> {
	const client = axios.create({
		baseURL: `${n8nUrl}/rest`,
		headers: { 'browser-id': browserId },
		proxy: false,
		// n8n closes a kept connection after five idle seconds: a request sent just then would fail.
		httpAgent: new Agent({ keepAlive: false }),
		timeout: 60_000,
	});
	const settings = unwrap<{ userManagement: { showSetupOnFirstLoad?: boolean } }>(
		(await client.get('/settings')).data,
	);
	const isNew = settings.userManagement.showSetupOnFirstLoad === true;
	const answer = isNew
		? await client.post('/owner/setup', owner, { validateStatus: () => true })
		: await client.post(
				'/login',
				{ emailOrLdapLoginId: owner.email, password: owner.password },
				{ validateStatus: () => true },
			);
	if (answer.status !== 200) {
		const { message = `status ${answer.status}` } = answer.data as { message?: string };
		throw new LabError(
			`n8n did not let ${owner.email} in (${message}): if you changed the password in n8n, write it into ${passwordFile(userFolder)}; otherwise 'npm start -- --clean' starts with a fresh n8n.`,
		);
	}
	const cookies = answer.headers['set-cookie'] ?? [];
	client.defaults.headers.common.Cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
	return client;
}
