import type { IncomingHttpHeaders } from 'node:http';

/** Names of this machine that no foreign name server can hand out. */
const loopback = ['127.0.0.1', 'localhost', '[::1]'];
const HOST_NAME = /^(?!-)[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/i;

/**
 * Keeps web pages of others out, who could otherwise make the browser on this machine reset the sandbox, read the demo key or
 * approve. A page that has bound its own name to this machine gives itself away by `Host`, any other one by `Origin`.
 * Services are called by servers, which send no `Origin`. Gives the reason why a request is refused, if it is.
 */
export function createDoor(names: string[]): (headers: IncomingHttpHeaders) => string | undefined {
	for (const name of names) {
		if (!HOST_NAME.test(name)) throw new Error(`'${name}' is not a host name`);
	}
	const known = new Set([...loopback, ...names.map((name) => name.toLowerCase())]);

	return ({ host = '', origin }) => {
		const address = host.toLowerCase();
		if (!known.has(address.replace(/:\d{1,5}$/, ''))) {
			return (
				`'${host.slice(0, 100)}' is not a name of this sandbox, which answers to ${[...known].join(', ')}. ` +
				'Call it by one of these, or start it with --name to allow another.'
			);
		}
		if (origin !== undefined && origin !== `http://${address}`) {
			return (
				`A web page from '${origin.slice(0, 100)}' may not use this sandbox: ` +
				`only programs and its own pages at http://${address} may.`
			);
		}
		return undefined;
	};
}
