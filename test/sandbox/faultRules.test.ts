// Protects tests with faults: the sandbox injects the fault of a rule into the requests of that rule, and into no others.
import { shareSandbox } from '../support/sandbox';
import { thingService, keyHeader } from './core.fixture';

const sandbox = shareSandbox({ services: [thingService] });
beforeEach(() => sandbox.reset());

const callService = (path: string, init: RequestInit = {}) =>
	fetch(sandbox.addresses.passwordlessIdentity + path, {
		...init,
		headers: { ...keyHeader, ...init.headers },
	});
const createThing = (name: string) =>
	callService('/things', {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ name }),
	});
const readThingNames = async () => {
	const { things } = (await (await callService('/things')).json()) as {
		things: Array<{ name: string }>;
	};
	return things.map(({ name }) => name);
};

function addRuleOverHttp(rule: unknown) {
	return fetch(`${sandbox.controlUrl}/fault-rules`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(rule),
	});
}

describe('injected faults', () => {
	it.each([
		['429', 429, 'rate-limit'],
		['500', 500, 'internal'],
		['503', 503, 'unavailable'],
	] as const)("respond with %s in the service's own error format", async (kind, status, name) => {
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind, times: 1 });
		const response = await callService('/things');
		expect(response.status).toBe(status);
		expect(response.headers.get('retry-after')).toBeNull();
		expect(await response.json()).toMatchObject({ error: status, kind: name });
		expect((await callService('/things')).status).toBe(200);
		expect(sandbox.internalErrors).toEqual([]);
	});

	it.each([
		[3, '3'],
		[0, '0'],
		['soon', 'soon'],
	])('send Retry-After %j', async (retryAfter, header) => {
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: '429', retryAfter });
		expect((await callService('/things')).headers.get('retry-after')).toBe(header);
	});

	it('send Retry-After as a date a few seconds ahead of real time', async () => {
		sandbox.clock.advance(86_400_000);
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: '503', retryAfter: 'date' });
		const header = (await callService('/things')).headers.get('retry-after')!;
		expect(header).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
		const aheadMs = Date.parse(header) - Date.now();
		expect(aheadMs).toBeGreaterThan(500);
		expect(aheadMs).toBeLessThanOrEqual(3000);
	});

	it('drop the connection', async () => {
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: 'drop', times: 1 });
		await expect(callService('/things')).rejects.toThrow('fetch failed');
		expect(sandbox.requestLog.entries()[0]).toMatchObject({ operationId: 'getThings', status: 0 });
		expect((await callService('/things')).status).toBe(200);
	});

	it('respond slowly, but correctly', async () => {
		sandbox.faultRules.add({
			service: 'passwordlessIdentity',
			kind: 'slow',
			delayMs: 300,
			times: 1,
		});
		const startMs = Date.now();
		expect((await callService('/things')).status).toBe(200);
		expect(Date.now() - startMs).toBeGreaterThanOrEqual(295);
	});

	it('truncate the JSON in the middle', async () => {
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: 'truncate', times: 1 });
		const response = await callService('/things/1');
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toMatch('application/json');
		const text = await response.text();
		const whole = JSON.stringify({ id: 1, name: 'hello' });
		expect(text.length).toBeGreaterThan(0);
		expect(text.length).toBeLessThan(whole.length);
		expect(whole.startsWith(text)).toBe(true);
	});

	it('respond with the HTML page of a gateway', async () => {
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: 'html', times: 1 });
		const response = await callService('/things');
		expect(response.status).toBe(502);
		expect(response.headers.get('content-type')).toMatch('text/html');
		expect(await response.text()).toMatch(/^<!DOCTYPE html>/);
	});

	it('respond with the wrong content type', async () => {
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: 'content-type', times: 1 });
		const response = await callService('/things/1');
		expect(response.headers.get('content-type')).toMatch('text/plain');
		expect(JSON.parse(await response.text())).toEqual({ id: 1, name: 'hello' });
	});

	it('do not change a response without a body', async () => {
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: 'truncate' });
		expect((await callService('/things/1', { method: 'HEAD' })).status).toBe(200);
	});
});

describe('a request with a fault', () => {
	it.each(['429', '500', '503', 'html'] as const)(
		'of kind %s is not carried out, unless the rule has `afterExecution`',
		async (kind) => {
			sandbox.faultRules.add({
				service: 'passwordlessIdentity',
				operation: 'createThing',
				kind,
				times: 1,
			});
			await createThing('refused');
			expect(await readThingNames()).toEqual(['hello']);
			sandbox.faultRules.add({
				service: 'passwordlessIdentity',
				operation: 'createThing',
				kind,
				times: 1,
				afterExecution: true,
			});
			await createThing('lost answer');
			expect(await readThingNames()).toEqual(['hello', 'lost answer']);
		},
	);

	it('that drops the connection is not carried out, unless the rule has `afterExecution`', async () => {
		const rule = {
			service: 'passwordlessIdentity',
			operation: 'createThing',
			kind: 'drop',
			times: 1,
		} as const;
		sandbox.faultRules.add(rule);
		await expect(createThing('refused')).rejects.toThrow();
		expect(await readThingNames()).toEqual(['hello']);
		sandbox.faultRules.add({ ...rule, afterExecution: true });
		await expect(createThing('lost answer')).rejects.toThrow();
		expect(await readThingNames()).toEqual(['hello', 'lost answer']);
	});
});

describe('fault rules', () => {
	it('apply to the next N calls of one operation and no other', async () => {
		sandbox.faultRules.add({
			service: 'passwordlessIdentity',
			operation: 'getThing',
			kind: '500',
			times: 2,
		});
		const status = async (path: string) => (await callService(path)).status;
		expect(await status('/things')).toBe(200);
		expect(await status('/things/1')).toBe(500);
		expect(sandbox.faultRules.rules()).toEqual([expect.objectContaining({ times: 1 })]);
		expect(await status('/things/1')).toBe(500);
		expect(await status('/things/1')).toBe(200);
		expect(sandbox.faultRules.rules()).toEqual([]);
	});

	it('apply in the order in which they were added', async () => {
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: '429', times: 1 });
		sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: '503', times: 1 });
		const statuses = [];
		for (let i = 0; i < 3; i++) statuses.push((await callService('/things')).status);
		expect(statuses).toEqual([429, 503, 200]);
	});

	it('with a share apply to that share of the calls, and to the same calls after a reset', async () => {
		const callWithFaults = async () => {
			sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: '503', share: 0.3 });
			const statuses = [];
			for (let i = 0; i < 100; i++) statuses.push((await callService('/things/1')).status);
			sandbox.reset();
			return statuses;
		};
		const firstStatuses = await callWithFaults();
		const failed = firstStatuses.filter((status) => status === 503).length;
		expect(failed).toBeGreaterThan(15);
		expect(failed).toBeLessThan(45);
		expect(await callWithFaults()).toEqual(firstStatuses);
	});

	it('apply to no call after they were cleared', async () => {
		await addRuleOverHttp({ service: 'passwordlessIdentity', kind: '503' });
		expect((await callService('/things')).status).toBe(503);
		const cleared = await fetch(`${sandbox.controlUrl}/fault-rules`, { method: 'DELETE' });
		expect(await cleared.json()).toEqual([]);
		expect((await callService('/things')).status).toBe(200);
	});
});

describe('the control path for fault rules', () => {
	it('accepts every part of a rule', async () => {
		const rule = {
			service: 'passwordlessIdentity',
			operation: 'getThing',
			kind: '429',
			retryAfter: 'date',
			times: 2,
			share: 1,
			delayMs: 0,
			afterExecution: true,
		};
		const response = await addRuleOverHttp(rule);
		expect(response.status).toBe(201);
		expect(await response.json()).toEqual([rule]);
		expect(await (await fetch(`${sandbox.controlUrl}/fault-rules`)).json()).toEqual([rule]);
	});

	it.each([
		{},
		{ service: 'passwordlessIdentity' },
		{ service: 'nobody', kind: '500' },
		{ service: 'twoFactor', kind: '500' },
		{ service: 'passwordlessIdentity', kind: 'rain' },
		{ service: 'passwordlessIdentity', kind: '500', operation: 'nope' },
		{ service: 'passwordlessIdentity', kind: '500', times: 0 },
		{ service: 'passwordlessIdentity', kind: '500', times: '1' },
		{ service: 'passwordlessIdentity', kind: '500', share: 2 },
		{ service: 'passwordlessIdentity', kind: '500', retryAfter: -1 },
		{ service: 'passwordlessIdentity', kind: '500', surprise: true },
	])('rejects the rule %j', async (rule) => {
		const response = await addRuleOverHttp(rule);
		expect(response.status).toBe(400);
		expect(await response.json()).toEqual({ error: expect.any(String) });
		expect(sandbox.faultRules.rules()).toEqual([]);
	});
});
