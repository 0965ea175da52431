import type { IncomingHttpHeaders } from 'node:http';

/** Loopback names, which no remote DNS server can assign to a web page. */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];
const HOST_NAME = /^(?!-)[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/i;

/**
 * Rejects requests of other web pages, which could otherwise make the browser on this machine reset the sandbox, read the
 * demo key or approve requests. DNS rebinding shows in `Host`, any other page in `Origin`. Servers call the services without
 * `Origin`. Returns the reason for a rejection, if any.
 */
export function createOriginCheck(
	names: string[],
): (headers: IncomingHttpHeaders) => string | undefined {
	for (const name of names) {
		if (!HOST_NAME.test(name)) throw new Error(`'${name}' is not a host name`);
	}
	const allowedNames = new Set([...LOOPBACK_NAMES, ...names.map((name) => name.toLowerCase())]);

	return ({ host = '', origin }) => {
		const hostAndPort = host.toLowerCase();
		if (!allowedNames.has(hostAndPort.replace(/:\d{1,5}$/, ''))) {
			return (
				`'${host.slice(0, 100)}' is not a name of this sandbox, which answers to ${[...allowedNames].join(', ')}. ` +
				'Call it by one of these, or start it with --name to allow another.'
			);
		}
		if (origin !== undefined && origin !== `http://${hostAndPort}`) {
			return (
				`A web page from '${origin.slice(0, 100)}' may not use this sandbox: ` +
				`only programs and its own pages at http://${hostAndPort} may.`
			);
		}
		return undefined;
	};
}
