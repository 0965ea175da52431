import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import type { Sandbox } from '../../sandbox/server';

/** A JSON object of which nothing is known. */
export type Json = Record<string, unknown>;

/** One request of an operation: method, path below the base address, body. */
export type Sample = [method: string, path: string, body?: unknown];

/** A client that never throws for a status and sends every body as JSON, a bare integer too. */
function client(baseURL: string, headers: Record<string, string>): AxiosInstance {
	return axios.create({
		baseURL,
		headers: { ...headers, 'content-type': 'application/json' },
		validateStatus: () => true,
		transformRequest: [(data: unknown) => (data === undefined ? data : JSON.stringify(data))],
	});
}

/** A client of the event data service, with the demo key unless another is given. */
export function eventDataClient({ addresses, demo }: Sandbox, key = demo.eventData.apiKey) {
	return client(addresses.eventData, { 'X-API-Key': key });
}

/** Paths begin after /api/v1. */
export function registrationClient(
	{ addresses, demo }: Sandbox,
	key = demo.eventRegistration.apiKey,
) {
	return client(`${addresses.eventRegistration}/api/v1`, { Authorization: key });
}

/** Sends a sample. */
export function send(
	http: AxiosInstance,
	[method, url, data]: Sample,
): Promise<AxiosResponse<never>> {
	return http.request({ method, url, data });
}

/** Follows pages from 1 until one is short. */
export async function readAll(http: AxiosInstance, path: string, size = 200): Promise<Json[]> {
	const all: Json[] = [];
	for (let page = 1; page <= 1000; page++) {
		const { data } = await http.get<Json[]>(path, { params: { page, pageSize: size } });
		all.push(...data);
		if (data.length < size) return all;
	}
	throw new Error('The pages do not end');
}
