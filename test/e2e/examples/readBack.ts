import axios from 'axios';

import type { Lab } from '../../../lab/lab';
import { unwrap } from '../../../lab/rest';
import type { RestClient } from '../../../lab/rest';
import type { DemoPerson } from '../../../sandbox/demoIdentities';
import type { Sandbox } from '../../../sandbox/server';
import { pollUntil } from './runs';
import type { EndedExecution } from './runs';

type Json = Record<string, unknown>;

/** Reads from the services directly, past n8n and the pack, as an independent reference for outcomes. */
export function createServiceReader({ addresses, demo }: Sandbox) {
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

/** Acts as a person with a phone, through the sandbox's control API. */
export function openPhone({ sandbox }: Lab, { fingerprint, phone: number }: DemoPerson) {
	type Job = { job: string; scope: string };
	type Approval = { uuid: string; status: string; message: string; details: Json };
	const findFirst = <T>(
		service: 'passwordlessIdentity' | 'twoFactor',
		action: string,
		input: Json,
	) => (sandbox.control(service, action, input) as T[])[0];
	const listApprovals = () =>
		sandbox.control('twoFactor', 'approvals', { phone: number }) as Approval[];
	// Requests that were sent before this example began and are still open.
	const earlierIds = new Set(listApprovals().map(({ uuid }) => uuid));
	const listPending = () =>
		listApprovals().filter(({ uuid, status }) => status === 'pending' && !earlierIds.has(uuid));
	return {
		/** Waits for a scope job that needs an answer, and returns it. */
		waitForJob: async (holder = fingerprint) =>
			await pollUntil('A scope job', () =>
				findFirst<Job>('passwordlessIdentity', 'jobs', {
					fingerprint: holder,
					state: 'outstanding',
				}),
			),
		answer: async (action: 'approve' | 'deny', { job }: Job) => {
			await sandbox.control('passwordlessIdentity', action, { job });
		},
		/** Waits for an approval request that needs a decision, and returns it. */
		waitForApproval: async () => await pollUntil('An approval request', () => listPending()[0]),
		/** Returns the pending requests, oldest first, as soon as there are this many. */
		waitForApprovals: async (count: number) =>
			await pollUntil(`${count} approval requests`, () => {
				const pendingApprovals = listPending();
				return pendingApprovals.length >= count ? pendingApprovals : undefined;
			}),
		decide: async (decision: 'approved' | 'denied', { uuid }: Approval) => {
			await sandbox.control('twoFactor', 'decide', { uuid, decision });
		},
		/** Returns the text messages so far, oldest first. */
		readTexts: () =>
			sandbox.control('twoFactor', 'messages', { phone: number }) as Array<{ code: string }>,
		/** Returns the mails so far. */
		readMails: (email: string) => sandbox.world.phone.items({ email }),
	};
}

/** Reads the rows of the data table that a node of a run created or found. */
export async function readRows(
	rest: RestClient,
	run: EndedExecution,
	node: string,
): Promise<Json[]> {
	const { id, projectId } = run.json(node)[0] as { id: string; projectId: string };
	const { data } = await rest.get(`/projects/${projectId}/data-tables/${id}/rows`, {
		params: { take: 500 },
	});
	return unwrap<{ data: Json[] }>(data).data;
}

/** Downloads the file that a node returned, in its first item or another one. */
export async function downloadFile(rest: RestClient, run: EndedExecution, node: string, index = 0) {
	const { id, fileName, mimeType } = run.items(node)[index]!.binary!.data!;
	const params = { id, action: 'download', fileName, mimeType };
	const { data } = await rest.get<string>('/binary-data', { params, responseType: 'text' });
	return { fileName, mimeType, text: data };
}

/** Parses a CSV file whose first line has the column names. */
export function readCsv(text: string): Array<Record<string, string>> {
	const cells = [...text.trimEnd().matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)];
	const rows: string[][] = [[]];
	for (const [, cell = '', separator] of cells) {
		rows.at(-1)!.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
		if (separator === '') break;
		if (separator !== ',') rows.push([]);
	}
	const [names = [], ...lines] = rows;
	return lines.map((line) => Object.fromEntries(names.map((name, index) => [name, line[index]!])));
}
