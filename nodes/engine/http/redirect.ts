import { ServiceFailure } from '../errors';
import type { ServiceResponse, Service } from './types';

/** Statuses after which a client sends the same request again to the new address: it was not carried out at the old one. */
const NOT_CARRIED_OUT = [307, 308];

/**
 * Creates the failure for a redirect, with the new base URL. Following the redirect would send the key to another host. A
 * write may have been carried out: services send on to its result.
 */
export function redirectFailure(
	response: ServiceResponse,
	service: Service,
	url: string,
	path: string,
	isWrite = false,
): ServiceFailure {
	const { status } = response;
	const target = newBaseUrl(response, url, path);
	const uncertain = isWrite && !NOT_CARRIED_OUT.includes(status);
	const message = `The ${service.name} redirects to another address (status ${status})`;
	if (target === undefined)
		return new ServiceFailure(message, {
			status,
			uncertain,
			advice: "Check 'Base URL' in the credential.",
		});
	return new ServiceFailure(message, {
		status,
		uncertain,
		advice: uncertain
			? `Services answer so after a request that they carried out, or if 'Base URL' is wrong. If you trust the new address, enter ${target} as 'Base URL' in the credential.`
			: `If you trust it, enter ${target} as 'Base URL' in the credential. The request was not sent there.`,
	});
}

/** Returns the target of a redirect without the path of the request; undefined if it is no address. */
function newBaseUrl({ headers }: ServiceResponse, url: string, path: string): string | undefined {
	try {
		const location = new URL(headers.location ?? '', url);
		const [route = ''] = path.split('?');
		location.search = '';
		location.username = '';
		location.password = '';
		return location.href.endsWith(route) ? location.href.slice(0, -route.length) : location.href;
	} catch {
		return undefined;
	}
}
