import type { Sandbox } from '../../sandbox/server';
import type { ServiceName } from '../../sandbox/service';
import type { Json } from './eventClients';

/** Response of the desk. */
export interface DeskResponse {
	status: number;
	body: Json;
}

/** Sends an action to the desk over HTTP, as its page does, and returns the response. */
export async function sendToDesk(
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

/** Performs an action at the desk that must succeed, and returns the record. */
export async function performAtDesk<T = Json>(
	sandbox: Sandbox,
	service: ServiceName,
	action: string,
	input: unknown,
): Promise<T> {
	const { status, body } = await sendToDesk(sandbox, service, action, input);
	if (status !== 200) throw new Error(`The desk answered ${status}: ${JSON.stringify(body)}`);
	return body as T;
}
