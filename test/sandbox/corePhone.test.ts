// Protects users of the phone in the sandbox: it shows the messages and requests to its person at once, and no others.
import { withExpiry } from '../../sandbox/phone/routes';
import { PhoneBus, normalizePhone } from '../../sandbox/phoneBus';
import type { PhoneItem } from '../../sandbox/phoneBus';
import { shareSandbox } from '../support/sandbox';
import { thingService } from './core.fixture';

const sandbox = shareSandbox({ services: [thingService] });
beforeEach(() => sandbox.reset());

const createSms = (id: string, phone: string): PhoneItem => ({
	kind: 'sms',
	id,
	at: 1,
	to: { phone },
	from: 'a',
	text: `text ${id}`,
});
const createApproval = (id: string, expiresAt?: number): PhoneItem => ({
	kind: 'approval',
	id,
	at: 1,
	to: { phone: '+15550100' },
	from: 'a',
	message: 'Open?',
	details: {},
	status: 'pending',
	expiresAt,
});

async function readItemIds(query: string) {
	const response = await fetch(`${sandbox.phoneUrl}/api/items?${query}`);
	const { items } = (await response.json()) as { items: PhoneItem[] };
	return items.map(({ id }) => id);
}

describe('the entries of a phone', () => {
	it('are only those that were sent to its key, its number or its email address', async () => {
		const { phone } = sandbox.world;
		phone.deliver(createSms('mine', '+15550101'));
		phone.deliver(createSms('other', '+15550102'));
		const mail = { kind: 'mail', id: 'post', at: 2, from: 'a', text: 'b' } as const;
		phone.deliver({ ...mail, to: { email: 'Kim@Example.com' } });
		expect(await readItemIds('phone=%2B15550101')).toEqual(['mine']);
		expect(await readItemIds('phone=%2B15550101&email=kim@example.com')).toEqual(['mine', 'post']);
		expect(await readItemIds('fingerprint=abc')).toEqual([]);
		expect(await readItemIds('')).toEqual([]);
	});

	it('show only the latest state of a request', () => {
		const bus = new PhoneBus();
		bus.deliver(createApproval('a'));
		bus.deliver({ ...createApproval('a'), status: 'denied' } as PhoneItem);
		expect(bus.items()).toEqual([expect.objectContaining({ id: 'a', status: 'denied' })]);
	});

	it('are the newest only, if there are too many', () => {
		const bus = new PhoneBus(3);
		for (const id of ['a', 'b', 'c', 'd', 'e']) bus.deliver(createSms(id, '+1'));
		expect(bus.items().map(({ id }) => id)).toEqual(['c', 'd', 'e']);
	});

	it('are found by a phone number without separators', () => {
		expect(normalizePhone('1 (202) 555-0143')).toBe('+12025550143');
		expect(normalizePhone('+44 20 7946 0018')).toBe('+442079460018');
	});

	it('expire unless a person has decided', () => {
		expect(withExpiry(createApproval('a', 100), 99)).toMatchObject({ status: 'pending' });
		expect(withExpiry(createApproval('a', 100), 100)).toMatchObject({ status: 'expired' });
		expect(withExpiry(createApproval('a'), 1e15)).toMatchObject({ status: 'pending' });
		const deniedItem = { ...createApproval('a', 100), status: 'denied' } as PhoneItem;
		expect(withExpiry(deniedItem, 200)).toBe(deniedItem);
	});
});

describe('the event stream', () => {
	async function openStream(query: string) {
		const stop = new AbortController();
		const response = await fetch(`${sandbox.phoneUrl}/api/stream?${query}`, {
			signal: stop.signal,
		});
		expect(response.headers.get('content-type')).toMatch('text/event-stream');
		const reader = response.body!.getReader();
		let text = '';
		const readUntil = async (expectedText: string) => {
			while (!text.includes(expectedText)) {
				const { value, done } = await reader.read();
				if (done) throw new Error(`the stream ended before '${expectedText}'`);
				text += Buffer.from(value).toString();
			}
			return text;
		};
		return { readUntil, stop: () => stop.abort() };
	}

	it('sends new entries for its phone at once, and none for other phones', async () => {
		const stream = await openStream('phone=%2B15550101');
		await stream.readUntil('event: refresh');
		sandbox.world.phone.deliver(createSms('other', '+15550102'));
		sandbox.world.phone.deliver(createSms('mine', '+15550101'));
		const text = await stream.readUntil('text mine');
		expect(text).toContain('event: item');
		expect(text).not.toContain('text other');
		stream.stop();
	});

	it('requests a reload when the clock moved and after a reset', async () => {
		const stream = await openStream('phone=%2B15550101');
		await stream.readUntil('event: refresh');
		sandbox.clock.advance(5);
		await stream.readUntil('event: refresh\ndata: {"now"');
		sandbox.world.phone.deliver(createSms('marker', '+15550101'));
		const text = await stream.readUntil('text marker');
		expect(text.match(/event: refresh/g)).toHaveLength(2);
		stream.stop();
	});

	it('leaves no listener behind when the phones are closed', async () => {
		const { phone } = sandbox.world;
		const waitForListeners = async (count: number) => {
			for (let i = 0; i < 200 && phone.listenerCount('item') !== count; i++) {
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
			return [phone.listenerCount('item'), phone.listenerCount('refresh')];
		};
		expect(await waitForListeners(0)).toEqual([0, 0]);
		const streams = await Promise.all(Array.from({ length: 10 }, () => openStream('phone=%2B1')));
		expect(await waitForListeners(10)).toEqual([10, 10]);
		for (const stream of streams) stream.stop();
		expect(await waitForListeners(0)).toEqual([0, 0]);
	});
});

describe('the page', () => {
	it.each(['', '/', '/index.html'])(
		'of the phone is at /phone%s and may load only from the sandbox',
		async (path) => {
			const response = await fetch(sandbox.phoneUrl + path);
			expect(response.status).toBe(200);
			expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
			expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
		},
	);

	it.each(['phone', 'phones', 'desk', 'start'])(
		'at /%s and its files link only to files that exist',
		async (name) => {
			const visitedFiles = new Set<string>();
			const visit = async (path: string) => {
				if (visitedFiles.has(path)) return;
				visitedFiles.add(path);
				const response = await fetch(sandbox.url + path);
				expect([path, response.status]).toEqual([path, 200]);
				const text = await response.text();
				const links = [...text.matchAll(/(?:src="|href="|from '|url\(')([./][^"']+)["']/g)];
				for (const [, link] of links) await visit(new URL(link!, sandbox.url + path).pathname);
			};
			await visit(`/${name}/`);
			expect(visitedFiles.size).toBeGreaterThan(9);
			expect([...visitedFiles]).toContain('/common/dom.js');
		},
	);

	it.each([
		'/..%2froutes.ts',
		'/%2e%2e%2froutes.ts',
		'/nothing.js',
		'/routes.ts',
		'/app.js%00.css',
	])('of the phone serves no file at %s', async (path) => {
		const response = await fetch(sandbox.phoneUrl + path);
		expect(response.status).toBe(404);
		expect(await response.text()).not.toContain('import');
	});

	it('of the phone rejects an invalid decision', async () => {
		const response = await fetch(`${sandbox.phoneUrl}/api/approvals/x`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ decision: 'maybe' }),
		});
		expect(response.status).toBe(400);
	});
});
