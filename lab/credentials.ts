import type { Sandbox } from '../sandbox/server';
import { unwrap, type RestClient } from './rest';

export interface LabCredential {
	id: string;
	name: string;
	type: string;
}

/** What each credential type needs to reach the sandbox. */
export function credentialData({ addresses, demo }: Pick<Sandbox, 'addresses' | 'demo'>) {
	return {
		passwordlessIdentityApi: {
			baseUrl: addresses.passwordlessIdentity,
			privateKey: demo.application.privatePem,
			algorithm: 'EdDSA',
			issuer: demo.application.fingerprint,
		},
		twoFactorApi: { baseUrl: addresses.twoFactor, ...demo.twoFactor },
		eventDataApi: { baseUrl: addresses.eventData, ...demo.eventData },
		eventRegistrationApi: {
			baseUrl: addresses.eventRegistration,
			...demo.eventRegistration,
			prefix: '',
			firstPage: 'detect',
		},
	};
}

const names: Record<keyof ReturnType<typeof credentialData>, string> = {
	passwordlessIdentityApi: 'Passwordless Identity (sandbox)',
	twoFactorApi: 'Two-Factor (sandbox)',
	eventDataApi: 'Event Data (sandbox)',
	eventRegistrationApi: 'Event Registration (sandbox)',
};

/** Makes the four credentials, or points those of an earlier start to the sandbox of this one. */
export async function ensureCredentials(
	rest: RestClient,
	sandbox: Sandbox,
): Promise<LabCredential[]> {
	const present = unwrap<LabCredential[]>((await rest.get('/credentials')).data);
	const credentials: LabCredential[] = [];
	for (const [type, data] of Object.entries(credentialData(sandbox))) {
		const name = names[type as keyof typeof names];
		const old = present.find((credential) => credential.type === type && credential.name === name);
		const body = { name, type, data };
		const answer = old
			? await rest.patch(`/credentials/${old.id}`, body)
			: await rest.post('/credentials', body);
		const { id } = unwrap<LabCredential>(answer.data);
		credentials.push({ id, name, type });
	}
	return credentials;
}
