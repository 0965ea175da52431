// Protects users who save a credential of Event Registration: its test reports what is wrong, and its page number is read.
import { verifyCredential } from '../../../nodes/engine/http/verifyCredential';
import { probe, service } from '../../../nodes/EventRegistration/service';
import { useRig } from '../../support/sandboxRig';

const rig = useRig({ registrations: 1500 });

it('the credential test accepts the service, and rejects a wrong key, a wrong base URL and another service', async () => {
	const data = rig.kit.credentialData.eventRegistrationApi!;
	const helpers = {
		request: async ({ uri, headers }: { uri: string; headers: Record<string, string> }) => {
			const response = await fetch(uri, { headers, redirect: 'manual' });
			return {
				statusCode: response.status,
				headers: Object.fromEntries(response.headers),
				body: await response.text(),
			};
		},
	};
	const testCredential = async (overrides: object) =>
		await verifyCredential(
			{ helpers } as never,
			{ id: '', name: '', type: '', data: { ...data, ...overrides } },
			service,
			probe,
		);
	expect(await testCredential({})).toMatchObject({ status: 'OK' });
	expect((await testCredential({ apiKey: 'wrong' })).message).toContain('rejects this key');
	expect((await testCredential({ baseUrl: `${data.baseUrl as string}/api/v1` })).message).toContain(
		"'Base URL' in the credential ends in /api/v1, with which the path of the operation begins, too. Remove that part",
	);
	expect((await testCredential({ baseUrl: rig.sandbox.addresses.eventData })).status).toBe('Error');
});

it.each([
	['detect', 'detect'],
	[undefined, 'detect'],
	[0, 0],
	['0', 0],
	[1, 1],
	['1', 1],
])('the first page number %p of the credential is read as %p', (firstPage, expected) => {
	expect(service.firstPage!({ firstPage } as never)).toBe(expected);
});
