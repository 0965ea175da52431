import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { runChild } from './harness/processes';

/** State that a benchmark sets before a round. Setting it resets the request counters. */
export interface ContactSetup {
	/** Number of contacts in the list. All have their initial values. */
	contacts: number;
	/** Delay of each response. */
	latencyMs: number;
	/** URL that the service requests before it answers a PATCH. The caller waits until this request is answered. */
	holdUrl?: string;
}

interface Contact {
	ContactId: number;
	FirstName: string;
	LastName: string;
	Email: string;
	Phone: string;
	Organization: string;
	Title: string;
	CustomFields: Array<{ Name: string; Value: string }>;
	DateAdded: string;
	LastUpdated: string;
}

const PAGE_SIZE = 200;
const LIST_PATH = '/api/v1/contactlists/1';
const DAY_MS = 86_400_000;
/** Connections that may wait for the server: the HTTP Request node opens one for each item at once. */
const LISTEN_BACKLOG = 16_384;

const FORM_FIELDS = [
	['First name', 'FirstName'],
	['Last name', 'LastName'],
	['Email address', 'Email'],
	['Phone', 'Phone'],
	['Organization', 'Organization'],
	['Job title', 'Title'],
	['Industry', 'Industry'],
	['Country', 'Country'],
	['Where we met', 'LeadSource'],
];

const createContact = (id: number, timestamp: string): Contact => ({
	ContactId: id,
	FirstName: 'Ada',
	LastName: `Lovelace ${id}`,
	Email: `ada${id}@email.example`,
	Phone: `+44 20 7946 ${id}`,
	Organization: 'Analytical Engines',
	Title: 'Programmer',
	CustomFields: [
		{ Name: 'Industry', Value: 'Software' },
		{ Name: 'Country', Value: 'United Kingdom' },
		{ Name: 'LeadSource', Value: 'Website' },
	],
	DateAdded: timestamp,
	LastUpdated: timestamp,
});

/**
 * The contact list. `handle` returns the response to a request; `undefined` stands for a path that the service does not
 * have.
 */
class ContactList {
	private contacts: Contact[] = [];
	private contactsByEmail = new Map<string, Contact>();
	private changedAt = '';

	fill(count: number): void {
		this.changedAt = new Date(Date.now() - 90 * DAY_MS).toISOString();
		this.contacts = Array.from({ length: count }, (_, index) =>
			createContact(index + 1, this.changedAt),
		);
		this.contactsByEmail = new Map(this.contacts.map((contact) => [contact.Email, contact]));
	}

	handle(method: string, { pathname, searchParams }: URL, body: unknown): unknown {
		const path = pathname.slice(LIST_PATH.length);
		if (path === '') return this.toRecord();
		if (path === '/contacts/contactform') return Object.fromEntries(FORM_FIELDS) as unknown;
		if (path === '/contacts/search') {
			const match = this.contactsByEmail.get((body as { Email: string }).Email);
			return match ? [match] : [];
		}
		if (path === '/contacts') {
			const page = Number(searchParams.get('page') ?? 1);
			return this.contacts.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
		}
		const [, id] = /^\/contacts\/(\d+)$/.exec(path) ?? [];
		const contact = this.contacts[Number(id) - 1];
		if (contact && method === 'PATCH') this.change(contact, body as Partial<Contact>);
		return contact;
	}

	private toRecord() {
		const { length: ContactCount } = this.contacts;
		return { ContactListId: 1, Name: 'Members', ContactCount, LastUpdated: this.changedAt };
	}

	private change(contact: Contact, { CustomFields = [], ...properties }: Partial<Contact>): void {
		const unchangedFields = contact.CustomFields.filter(
			({ Name }) => !CustomFields.some((field) => field.Name === Name),
		);
		this.changedAt = new Date().toISOString();
		Object.assign(contact, properties, {
			CustomFields: [...unchangedFields, ...CustomFields],
			LastUpdated: this.changedAt,
		});
	}
}

async function readBody(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as unknown) : undefined;
}

/**
 * An event registration service with one contact list that responds as fast as possible. `POST /setup` takes a ContactSetup;
 * `GET /requests` returns the number of requests since the last setup.
 */
async function serve(): Promise<void> {
	const list = new ContactList();
	let setup: ContactSetup = { contacts: 0, latencyMs: 0 };
	let requestCount = 0;
	const respond = async (request: IncomingMessage, response: ServerResponse) => {
		const url = new URL(request.url!, 'http://service');
		const method = request.method!;
		const body = await readBody(request);
		const send = (status: number, content: unknown) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(content));
		};
		if (url.pathname === '/requests') return send(200, requestCount);
		if (url.pathname === '/setup') {
			setup = body as ContactSetup;
			requestCount = 0;
			list.fill(setup.contacts);
			return send(200, {});
		}
		requestCount++;
		if (setup.latencyMs > 0) await delay(setup.latencyMs);
		if (setup.holdUrl !== undefined && method === 'PATCH') await fetch(setup.holdUrl);
		const content = list.handle(method, url, body);
		return send(content === undefined ? 404 : 200, content ?? { Message: 'Not found' });
	};
	const server = createServer((request, response) => {
		respond(request, response).catch(() => response.destroy());
	});
	const address = { port: 0, host: '127.0.0.1', backlog: LISTEN_BACKLOG };
	await new Promise<void>((resolve) => server.listen(address, resolve));
	process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

if (require.main === module) runChild(serve());
