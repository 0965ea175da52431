import services from '../contracts/services.json';
import type { Sandbox } from '../sandbox/server';
import { unwrap } from './rest';
import type { RestClient } from './rest';

export interface LabCredential {
	id: string;
	name: string;
	type: string;
}

/**
 * Creates a credential for each service whose type n8n knows, or updates those of an earlier start with this sandbox's data.
 */
export async function ensureCredentials(
	rest: RestClient,
	sandbox: Pick<Sandbox, 'credentials'>,
	isKnown: (type: string) => boolean = () => true,
): Promise<LabCredential[]> {
	const existingCredentials = unwrap<LabCredential[]>((await rest.get('/credentials')).data);
	const credentials: LabCredential[] = [];
	for (const { title, credential: type } of Object.values(services)) {
		if (!isKnown(type)) continue;
		const data = sandbox.credentials[type];
		const name = `${title} (sandbox)`;
		const existing = existingCredentials.find(
			(credential) => credential.type === type && credential.name === name,
		);
		const body = { name, type, data };
		const response = existing
			? await rest.patch(`/credentials/${existing.id}`, body)
			: await rest.post('/credentials', body);
		const { id } = unwrap<LabCredential>(response.data);
		credentials.push({ id, name, type });
	}
	return credentials;
}
