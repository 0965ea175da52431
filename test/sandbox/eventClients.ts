import axios from 'axios';
import type { AxiosInstance, AxiosResponse } from 'axios';

import { operationsOf, readContract } from '../../contracts/read';
import { loadContract } from '../../sandbox/contract';
import type { Sandbox } from '../../sandbox/server';
import { useSandbox } from '../support/sandbox';

/** A JSON object with unknown fields. */
export type Json = Record<string, unknown>;

/** One request of an operation: the method, the path after the base URL, and the body. */
export type SampleRequest = [method: string, path: string, body?: unknown];

/** Creates a client that throws for no status and sends every body as JSON, even a bare integer. */
function createClient(baseURL: string, headers: Record<string, string>): AxiosInstance {
	return axios.create({
		baseURL,
		headers: { ...headers, 'content-type': 'application/json' },
		validateStatus: () => true,
		transformRequest: [(data: unknown) => (data === undefined ? data : JSON.stringify(data))],
	});
}

/** Creates a client of the event data service, with the demo key by default. */
export function eventDataClient({ addresses, demo }: Sandbox, key = demo.eventData.apiKey) {
	return createClient(addresses.eventData, { 'X-API-Key': key });
}

/** Creates a client of the event registration service, with the demo key by default. Its paths begin after /api/v1. */
export function registrationClient(
	{ addresses, demo }: Sandbox,
	key = demo.eventRegistration.apiKey,
) {
	return createClient(`${addresses.eventRegistration}/api/v1`, { Authorization: key });
}

/** Provides a sandbox that is reset before each test of a file, and a client of one service. */
function useClient(create: (sandbox: Sandbox) => AxiosInstance) {
	const sandbox = useSandbox();
	const http = {} as AxiosInstance;
	beforeAll(() => void Object.assign(http, create(sandbox)));
	return { sandbox, http };
}

export const useEventData = () => useClient(eventDataClient);
export const useEventRegistration = () => useClient(registrationClient);

/** Sends a sample. */
export function sendSample(
	http: AxiosInstance,
	[method, url, data]: SampleRequest,
): Promise<AxiosResponse<never>> {
	return http.request({ method, url, data });
}

/** Fails unless there is one sample for each operation of the contract, under the operation's ID. */
export async function expectEveryOperation(
	contract: string,
	samples: Record<string, SampleRequest>,
): Promise<void> {
	const operations = await loadContract(contract);
	expect(Object.keys(samples).sort()).toEqual(
		operations.map((operation) => operation.operationId).sort(),
	);
}

/** Fails unless the response is the success response of the contract: its status, and a body if the contract defines one. */
export function expectSuccess(
	contract: string,
	operation: string,
	{ status, data }: AxiosResponse<unknown>,
): void {
	const { responses } = operationsOf(readContract(contract)).find(
		({ operationId }) => operationId === operation,
	)!;
	const expectedStatuses = Object.entries(responses)
		.filter(([code]) => code.startsWith('2'))
		.map(([code, { content }]) => [Number(code), content !== undefined]);
	expect([operation, [[status, isFilled(data)]]]).toEqual([operation, expectedStatuses]);
}

/** Whether a path matches a template. A segment that stands for an ID must contain a digit. */
function matchesTemplate(template: string, path: string): boolean {
	const parts = path.split('/');
	const pattern = template.split('/');
	return (
		parts.length === pattern.length &&
		pattern.every((part, index) =>
			part.startsWith('{') ? /\d/.test(parts[index]!) : part === parts[index],
		)
	);
}

/** Fails unless the samples include every operation that has an ID in its path. */
export async function expectEveryIdOperation(
	contract: string,
	samples: SampleRequest[],
): Promise<void> {
	const idOperations = (await loadContract(contract)).filter(({ path }) => path.includes('{'));
	const missingOperations = idOperations.filter(({ method, path }) => {
		const template = path.replace('/api/v1', '');
		return !samples.some(
			([sampleMethod, samplePath]) =>
				sampleMethod === method && matchesTemplate(template, samplePath.split('?')[0]!),
		);
	});
	expect(missingOperations.map(({ operationId }) => operationId)).toEqual([]);
}

/** Whether a response body is a list with entries or an object with fields. */
const isFilled = (data: unknown): boolean => Object.keys(data as object).length > 0;

/** Reads the pages of a list from page 1 until a page has fewer than `size` records. */
export async function readAll(http: AxiosInstance, path: string, size = 200): Promise<Json[]> {
	const allRecords: Json[] = [];
	for (let page = 1; page <= 1000; page++) {
		const { data } = await http.get<Json[]>(path, { params: { page, pageSize: size } });
		allRecords.push(...data);
		if (data.length < size) return allRecords;
	}
	throw new Error('The pages do not end');
}
