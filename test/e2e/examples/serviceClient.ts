import axios from 'axios';

import type { Sandbox } from '../../../sandbox/server';

type Json = Record<string, unknown>;

/** Returns a client that calls the services directly, past n8n and the pack: it changes records and reads outcomes back. */
export function createServiceClient({ addresses, demo }: Sandbox) {
	const { headerName, apiKey } = demo.eventRegistration;
	const registration = axios.create({
		baseURL: `${addresses.eventRegistration}/api/v1`,
		headers: { [headerName]: apiKey },
		proxy: false,
	});
	const readPages = async (fetch: (params: Json) => Promise<{ data: Json[] }>): Promise<Json[]> => {
		const records: Json[] = [];
		for (let page = 1; page <= 100; page++) {
			const { data } = await fetch({ page, pageSize: 200 });
			records.push(...data);
			if (data.length < 200) return records;
		}
		throw new Error('The list has no end');
	};
	return {
		/** Reads all records of a list. */
		readAll: async (path: string) =>
			await readPages((params) => registration.get<Json[]>(path, { params })),
		async get(path: string): Promise<Json> {
			return (await registration.get<Json>(path)).data;
		},
		async add(path: string, body: Json | Json[]): Promise<Json> {
			return (await registration.post<Json>(path, body)).data;
		},
		async change(path: string, body: Json): Promise<void> {
			await registration.patch(path, body);
		},
		/** Finds the records with this email address. */
		async findByEmail(path: string, email: string): Promise<Json[]> {
			return (await registration.post<Json[]>(`${path}/search`, { Email: email })).data;
		},
		/** Reads the payments and refunds of an event. */
		async readTransactions(eventId: number): Promise<Json[]> {
			const headers = { 'Content-Type': 'application/json' };
			return await readPages((params) =>
				registration.post<Json[]>('/transactions/search', `${eventId}`, { headers, params }),
			);
		},
		async readUserStatus(twofactorId: unknown): Promise<Json> {
			const { data } = await axios.get<{ status: Json }>(
				`${addresses.twoFactor}/protected/json/users/${twofactorId as string}/status`,
				{ headers: { [demo.twoFactor.headerName]: demo.twoFactor.apiKey }, proxy: false },
			);
			return data.status;
		},
	};
}
