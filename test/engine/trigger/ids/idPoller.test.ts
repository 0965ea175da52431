// Protects the service from a closed trigger: it sends no request, even if it was closed while it read the credential.
import { connectionOf } from '../../../../nodes/engine/http/client';
import type { Connection } from '../../../../nodes/engine/http/client';
import { CredentialRejections } from '../../../../nodes/engine/trigger/common/rejections';
import { RenewedConnection } from '../../../../nodes/engine/trigger/common/renewedConnection';
import { createIdPoller } from '../../../../nodes/engine/trigger/ids/idPoller';
import type { IdTriggerSetup } from '../../../../nodes/engine/trigger/ids/idTriggerSetup';

const service = { name: 'service', credentialType: 'none', secretFields: [], explain: () => ({}) };
const setup = {
	definition: {
		request: () => ({ method: 'GET', path: '/jobs' }),
		interpret: () => ({ kind: 'pending' }),
	},
	settings: { options: {} },
} as unknown as IdTriggerSetup;

/**
 * Polls a service after a minute, so that the credential is read again first; then `onRead` is called. Returns the URLs of
 * the requests that were sent.
 */
async function pollAfterAMinute(signal: AbortSignal, onRead: () => void) {
	const urls: string[] = [];
	const connection: Connection = connectionOf(
		service,
		{ baseUrl: 'http://localhost' },
		async ({ url }) => {
			urls.push(url);
			return { statusCode: 200, headers: {}, body: '{}' };
		},
	);
	let nowMs = 0;
	const connect = async () => {
		if (nowMs > 0) onRead();
		return connection;
	};
	const renewed = await RenewedConnection.open(connect, false, () => nowMs);
	const pollId = createIdPoller(setup, new CredentialRejections(renewed, false), signal);
	nowMs = 60_000;
	await pollId({ id: 'one' } as Parameters<typeof pollId>[0]).catch(() => undefined);
	return urls;
}

it('an open trigger reads the credential again and sends its request', async () => {
	let readCount = 0;
	const urls = await pollAfterAMinute(new AbortController().signal, () => readCount++);
	expect([readCount, urls]).toEqual([1, ['http://localhost/jobs']]);
});

it('a trigger that is closed while the credential is read sends no request', async () => {
	const stop = new AbortController();
	expect(await pollAfterAMinute(stop.signal, () => stop.abort())).toEqual([]);
});
