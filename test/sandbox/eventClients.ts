import axios from 'axios';
import type { AxiosInstance, AxiosResponse } from 'axios';

import { operationsOf, readContract } from '../../contracts/read';
import { loadContract } from '../../sandbox/contract';
import type { Sandbox } from '../../sandbox/server';
import { useSandbox } from '../support/sandbox';

/** A JSON object of which nothing is known. */
export type Json = Record<string, unknown>;

/** One request of an operation: method, path below the base address, body. */
export type SampleRequest = [method: string, path: string, body?: unknown];

/** A client that never throws for a status and sends every body as JSON, a bare integer too. */
function client(baseURL: string, headers: Record<string, string>): AxiosInstance {
	return axios.create({
		baseURL,
		headers: { ...headers, 'content-type': 'application/json' },
		validateStatus: () => true,
		transformRequest: [(data: unknown) => (data === undefined ? data : JSON.stringify(data))],
	});
}

/** A client of the event data service, with the demo key by default. */
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

/** A fresh sandbox for each test of a file, and a client of one service. */
function useClient(create: (sandbox: Sandbox) => AxiosInstance) {
	const sandbox = useSandbox();
	const http = {} as AxiosInstance;
	beforeAll(() => void Object.assign(http, create(sandbox)));
	return { sandbox, http };
}

export const useEventData = () => useClient(eventDataClient);
export const useEventRegistration = () => useClient(registrationClient);

/** Sends a sample. */
export function send(
	http: AxiosInstance,
	[method, url, data]: SampleRequest,
): Promise<AxiosResponse<never>> {
	return http.request({ method, url, data });
}

/** Fails unless the samples are one for each operation of the contract, under the operation's own name. */
export async function expectEveryOperation(
	contract: string,
	samples: Record<string, SampleRequest>,
): Promise<void> {
	const operations = await loadContract(contract);
	expect(Object.keys(samples).sort()).toEqual(
		operations.map((operation) => operation.operationId).sort(),
	);
}

/** Fails unless the response is the contract's success response: the same status, and a body if it has content. */
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

/** Whether a path fits a template; what stands for an id has a digit in it. */
function fits(template: string, path: string): boolean {
	const parts = path.split('/');
	const pattern = template.split('/');
	return (
		parts.length === pattern.length &&
		pattern.every((part, index) =>
			part.startsWith('{') ? /\d/.test(parts[index]!) : part === parts[index],
		)
	);
}

/** Fails unless every operation that has an id in its path is among the samples. */
export async function expectEveryId(contract: string, samples: SampleRequest[]): Promise<void> {
	const byId = (await loadContract(contract)).filter(({ path }) => path.includes('{'));
	const absent = byId.filter(({ method, path }) => {
		const template = path.replace('/api/v1', '');
		return !samples.some((one) => one[0] === method && fits(template, one[1].split('?')[0]!));
	});
	expect(absent.map(({ operationId }) => operationId)).toEqual([]);
}

/** Whether an answer has something in it: a list with entries, or an object with fields. */
const isFilled = (data: unknown): boolean => Object.keys(data as object).length > 0;

/** Follows pages from 1 until one is short. */
export async function readAll(http: AxiosInstance, path: string, size = 200): Promise<Json[]> {
	const allRecords: Json[] = [];
	for (let page = 1; page <= 1000; page++) {
		const { data } = await http.get<Json[]>(path, { params: { page, pageSize: size } });
		allRecords.push(...data);
		if (data.length < size) return allRecords;
	}
	throw new Error('The pages do not end');
}
