// Protects the issuer from repeated requests: simultaneous executions share one, and a canceled execution fails no other.
import { sendJson } from '../../support/toy';
import { useIdentityRig } from './identityRig';

const rig = useIdentityRig();
const TWENTY = Array.from({ length: 20 }, (_, index) => index);

it('twenty simultaneous executions request a key once', async () => {
	const { fingerprint } = rig.sandbox.demo.user;
	const records = await Promise.all(
		TWENTY.map(async () => await rig.getOutput('key', 'get', { fingerprint })),
	);
	expect(records).toEqual(TWENTY.map(() => expect.objectContaining({ fingerprint })));
	expect(rig.count('getKey')).toBe(1);
});

it('twenty simultaneous verifications of one person request the key once', async () => {
	const job = await rig.issueJob();
	await rig.approve(job);
	const expectedSubject = rig.sandbox.demo.user.fingerprint;
	const { outputItems } = await rig.operate(
		'scopeJob',
		'get',
		{ job, expectedSubject, options: { itemsAtATime: 20 } },
		TWENTY.map((index) => ({ index })),
	);
	expect(outputItems).toHaveLength(20);
	expect(outputItems.every(({ verified }) => verified === true)).toBe(true);
	expect(rig.count('getKey')).toBe(1);
});

it('all simultaneous executions fail if the key does not exist, and share requests', async () => {
	const { fingerprint } = rig.sandbox.demo.user;
	const server = await rig.startToy();
	const type = 'https://identity.example/problems/unknown-key';
	server.respondWith((_, response) => {
		setTimeout(() => sendJson(response, 404, { error: 404, type, title: 'Unknown key' }), 100);
	});
	rig.changeCredential({ baseUrl: server.url });
	const errors = await Promise.all(
		TWENTY.map(async () => (await rig.getError('key', 'get', { fingerprint })).message),
	);
	expect(new Set(errors)).toEqual(new Set(['Identity issuer: Unknown key (unknown-key)']));
	expect(server.requests.length).toBeLessThan(20);
});

it('executions that share a request succeed if the execution that sent it is cancelled', async () => {
	const { fingerprint } = rig.sandbox.demo.user;
	const server = await rig.startToy();
	let reportFirstRequest: () => void = () => undefined;
	const firstRequest = new Promise<void>((resolve) => (reportFirstRequest = resolve));
	server.respondWith((_, response, count) => {
		// The first request gets no response. Its execution is cancelled while the others wait for it.
		if (count === 1) reportFirstRequest();
		else sendJson(response, 200, { sub: fingerprint, status: 'registered' });
	});
	rig.changeCredential({ baseUrl: server.url });
	let cancel: () => void = () => undefined;
	const cancelled = rig.operate('key', 'get', { fingerprint }, undefined, {
		onStart: (stop) => (cancel = stop),
	});
	await firstRequest;
	const others = TWENTY.map(async () => await rig.getOutput('key', 'get', { fingerprint }));
	setTimeout(() => cancel(), 200);
	expect(await Promise.all(others)).toHaveLength(20);
	expect((await cancelled).outputItems).toEqual([]);
	expect(server.requests).toHaveLength(2);
});
