import type { IDataObject } from 'n8n-workflow';

import { EventRegistrationApi } from '../../../credentials/EventRegistrationApi.credentials';
import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { sendJson, startToyServer } from '../../support/toy';
import type { ReceivedRequest, ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';
import type { NodeKit } from '../../support/workflow';

/** Response of a fake service to one request. */
export type Reply = { status?: number; body?: unknown; drop?: boolean; html?: string };

/** The node against a service whose responses a test defines. */
export interface FakeService {
	server: ToyServer;
	kit: NodeKit;
	respondWith(reply: (request: ReceivedRequest, count: number) => Reply): void;
	run(parameters: object, input?: IDataObject[], node?: object): ReturnType<typeof runNode>;
	/** Runs an operation of a resource. */
	operate(
		resource: string,
		operation: string,
		...runArguments: Parameters<FakeService['run']>
	): ReturnType<typeof runNode>;
}

/** Starts a fake service on loopback, and gives the node a credential for it. */
export async function openFakeService(): Promise<FakeService> {
	const server = await startToyServer();
	const kit: NodeKit = {
		nodes: { eventRegistration: EventRegistration },
		credentials: [EventRegistrationApi],
		credentialData: {
			eventRegistrationApi: {
				baseUrl: server.url,
				apiKey: 'sk-fake-0123456789',
				headerName: 'Authorization',
				prefix: '',
				firstPage: 'detect',
			},
		},
	};
	const run: FakeService['run'] = async (parameters, input, node = {}) =>
		await runNode(kit, 'eventRegistration', parameters as never, input, node);
	return {
		server,
		kit,
		run,
		operate: async (resource, operation, parameters, ...inputAndNode) =>
			await run({ resource, operation, ...parameters }, ...inputAndNode),
		respondWith: (reply) =>
			server.respondWith((request, response, count) => {
				const { status = 200, body, drop, html } = reply(request, count);
				if (drop) response.destroy();
				else if (html) response.writeHead(status, { 'content-type': 'text/html' }).end(html);
				else sendJson(response, status, body);
			}),
	};
}

/** Starts a fake service for the tests of one file, or of one `describe`. */
export function useFake(): FakeService {
	const fake = {} as FakeService;
	beforeAll(async () => void Object.assign(fake, await openFakeService()));
	afterAll(async () => await fake.server.close());
	return fake;
}

/** A contact list with configurable behavior, for tests that add many contacts. */
export interface FakeList {
	contacts: IDataObject[];
	/** Number of contacts in each batch that was sent, in order. */
	batchSizes: number[];
	/** Number of requests for the list itself. */
	stateReads: number;
	reply(request: ReceivedRequest): Reply;
}

interface FakeListOptions {
	/** Whether a contact is not valid. */
	isBad?: (contact: IDataObject) => boolean;
	/** Status of the response to a batch with an invalid contact. */
	status?: number;
	/** Whether the valid contacts of a rejected batch are stored. */
	storesValid?: boolean;
	/** Changes the state of the list in the response. */
	changeState?: (list: IDataObject) => IDataObject;
	/** Responds instead of the list, unless it returns `undefined`. */
	intercept?: (request: ReceivedRequest, contacts?: IDataObject[]) => Reply | undefined;
}

/** Creates a fake contact list. Each request advances its clock by a second, so that no two changes have the same time. */
export function createFakeList(options: FakeListOptions = {}): FakeList {
	const {
		isBad = () => false,
		status = 400,
		storesValid = false,
		changeState = (list) => list,
	} = options;
	let clockMs = Date.parse('2026-05-01T00:00:00Z');
	let updatedAtMs = clockMs;
	const list: FakeList = {
		contacts: [],
		batchSizes: [],
		stateReads: 0,
		reply(request) {
			clockMs += 1000;
			const { method, url, body } = request;
			const sentContacts = method === 'POST' ? (JSON.parse(body) as IDataObject[]) : undefined;
			const interceptedReply = options.intercept?.(request, sentContacts);
			if (interceptedReply) {
				if (sentContacts) list.batchSizes.push(sentContacts.length);
				return interceptedReply;
			}
			const describeList = () =>
				changeState({
					ContactListId: 7,
					Name: 'List',
					ContactCount: list.contacts.length,
					LastUpdated: new Date(updatedAtMs).toISOString(),
				});
			if (!url.includes('/contacts')) {
				list.stateReads++;
				return { body: describeList() };
			}
			if (!sentContacts) {
				const query = new URL(url, 'http://x').searchParams;
				const updatedAfterMs = Date.parse(query.get('updatedAfter') ?? '1970-01-01');
				const changedContacts = list.contacts.filter(
					({ LastUpdated }) => Date.parse(LastUpdated as string) > updatedAfterMs,
				);
				const pageSize = Number(query.get('pageSize'));
				const page = Number(query.get('page') ?? 1);
				return { body: changedContacts.slice((page - 1) * pageSize, page * pageSize) };
			}
			list.batchSizes.push(sentContacts.length);
			const validContacts = sentContacts.filter((contact) => !isBad(contact));
			const areAllValid = validContacts.length === sentContacts.length;
			if (areAllValid || storesValid) {
				const now = new Date(clockMs).toISOString();
				for (const contact of validContacts) {
					const ContactId = list.contacts.length + 1;
					list.contacts.push({ ...contact, ContactId, DateAdded: now, LastUpdated: now });
				}
				if (validContacts.length > 0) updatedAtMs = clockMs;
			}
			if (areAllValid) return { body: describeList() };
			return {
				status,
				body: { Message: 'Not valid.', ModelState: { '[0].Email': ['Must be an address.'] } },
			};
		},
	};
	return list;
}
