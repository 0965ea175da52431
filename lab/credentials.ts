import services from '../contracts/services.json';
import type { Sandbox } from '../sandbox/server';
import { unwrap } from './rest';
import type { RestClient } from './rest';

export interface LabCredential {
	id: string;
	name: string;
	type: string;
}

const API_CREDENTIAL = { name: 'n8n API (this n8n)', type: 'n8nApi' };

/** Creates or renews the credential with which workflows read the executions of this n8n itself. */
export async function ensureApiCredential(
	rest: RestClient,
	n8nUrl: string,
): Promise<LabCredential> {
	const { name, type } = API_CREDENTIAL;
	const listed = (await rest.get('/api-keys')).data;
	const { items: keys } = unwrap<{ items: Array<{ id: string; label: string }> }>(listed);
	for (const { id, label } of keys) if (label === name) await rest.delete(`/api-keys/${id}`);
	const scopes = ['execution:list', 'execution:read'];
	const created = await rest.post('/api-keys', { label: name, expiresAt: null, scopes });
	const { rawApiKey: apiKey } = unwrap<{ rawApiKey: string }>(created.data);
	const body = { name, type, data: { apiKey, baseUrl: `${n8nUrl}/api/v1` } };
	return await saveCredential(rest, await listCredentials(rest), body);
}

const listCredentials = async (rest: RestClient) =>
	unwrap<LabCredential[]>((await rest.get('/credentials')).data);

/** Creates a credential, or updates the one with the same name and type. */
async function saveCredential(
	rest: RestClient,
	existingCredentials: LabCredential[],
	body: { name: string; type: string; data: unknown },
): Promise<LabCredential> {
	const { name, type } = body;
	const existing = existingCredentials.find(
		(credential) => credential.type === type && credential.name === name,
	);
	const response = existing
		? await rest.patch(`/credentials/${existing.id}`, body)
		: await rest.post('/credentials', body);
	return { id: unwrap<LabCredential>(response.data).id, name, type };
}

/**
 * Creates a credential for each service whose type n8n knows, or updates those of an earlier start with this sandbox's data.
 */
export async function ensureCredentials(
	rest: RestClient,
	sandbox: Pick<Sandbox, 'credentials' | 'listPeople'>,
	isKnown: (type: string) => boolean = () => true,
): Promise<LabCredential[]> {
	const existingCredentials = await listCredentials(rest);
	const credentials: LabCredential[] = [];
	const people = sandbox
		.listPeople()
		.map(({ name, userId }) => `${name}, ${String(userId)}`)
		.join('\n');
	for (const { title, credential: type } of Object.values(services)) {
		if (!isKnown(type)) continue;
		const data = { ...sandbox.credentials[type], ...(type === 'twoFactorApi' && { people }) };
		const body = { name: `${title} (sandbox)`, type, data };
		credentials.push(await saveCredential(rest, existingCredentials, body));
	}
	return credentials;
}
