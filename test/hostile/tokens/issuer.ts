import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { records } from './tokenActors';
import type { Case } from './tokenActors';

/** Starts an issuer that returns for each job the response of its case. */
export async function startIssuer(cases: ReadonlyMap<string, Case>): Promise<ToyServer> {
	const server = await startToyServer();
	server.respondWith(({ url }, response) => {
		const [, kind, id = ''] = url.split('/').map(decodeURIComponent);
		if (kind === 'key') {
			const record = records.get(id) ?? 404;
			if (typeof record !== 'number') return sendJson(response, 200, record);
			const type = record === 410 ? 'x/revoked-key' : 'x/unknown-key';
			return sendJson(response, record, { error: record, type });
		}
		const { body, type = 'application/jwt' } = cases.get(id)!;
		return response.writeHead(200, { 'content-type': type }).end(body);
	});
	return server;
}
