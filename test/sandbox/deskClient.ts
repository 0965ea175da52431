import type { Sandbox } from '../../sandbox/server';
import type { ServiceName } from '../../sandbox/service';
import type { Json } from './eventClients';

/** Response of the desk. */
export interface DeskResponse {
	status: number;
	body: Json;
}

/** Does something at the desk, over HTTP as its page does. */
export async function atDesk(
	{ deskUrl }: Sandbox,
	service: ServiceName,
	action: string,
	input: unknown,
): Promise<DeskResponse> {
	const response = await fetch(`${deskUrl}/api/${service}/${action}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(input),
	});
	return { status: response.status, body: (await response.json()) as Json };
}

/** The same for a request that must succeed: returns the record. */
export async function doAtDesk<T = Json>(
	sandbox: Sandbox,
	service: ServiceName,
	action: string,
	input: unknown,
): Promise<T> {
	const { status, body } = await atDesk(sandbox, service, action, input);
	if (status !== 200) throw new Error(`The desk answered ${status}: ${JSON.stringify(body)}`);
	return body as T;
}
