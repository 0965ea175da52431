import { sendJson } from '../../support/toy';
import { useIdentityRig } from './identityRig';

const rig = useIdentityRig();
const twenty = Array.from({ length: 20 }, (_, n) => n);

it('twenty simultaneous executions request a key once', async () => {
	const { fingerprint } = rig.sandbox.demo.user;
	const records = await Promise.all(
		twenty.map(async () => await rig.getOutput('key', 'get', { fingerprint })),
	);
	expect(records).toEqual(twenty.map(() => expect.objectContaining({ fingerprint })));
	expect(rig.count('getKey')).toBe(1);
});

it('twenty results of one person, verified at once, request the key once', async () => {
	const job = await rig.issueJob();
	await rig.approve(job);
	const expectedSubject = rig.sandbox.demo.user.fingerprint;
	const { outputItems } = await rig.operate(
		'scopeJob',
		'get',
		{ job, expectedSubject, options: { itemsAtATime: 20 } },
		twenty.map((n) => ({ n })),
	);
	expect(outputItems).toHaveLength(20);
	expect(outputItems.every(({ verified }) => verified === true)).toBe(true);
	expect(rig.count('getKey')).toBe(1);
});

it('all simultaneous executions fail if the key does not exist', async () => {
	const { fingerprint } = rig.sandbox.demo.user;
	const server = await rig.startToy();
	const type = 'https://identity.example/problems/unknown-key';
	server.respondWith((_, response) => {
		setTimeout(() => sendJson(response, 404, { error: 404, type, title: 'Unknown key' }), 100);
	});
	rig.changeCredential({ baseUrl: server.url });
	const errors = await Promise.all(
		twenty.map(async () => (await rig.getError('key', 'get', { fingerprint })).message),
	);
	expect(new Set(errors)).toEqual(new Set(['Identity issuer: Unknown key (unknown-key)']));
	expect(server.requests.length).toBeLessThan(20);
});

it('cancelling one execution does not affect the others', async () => {
	const { fingerprint } = rig.sandbox.demo.user;
	const server = await rig.startToy();
	let reportFirstRequest: () => void = () => undefined;
	const firstRequest = new Promise<void>((resolve) => (reportFirstRequest = resolve));
	server.respondWith((_, response, count) => {
		// The first is never answered: it is cancelled while all wait for it.
		if (count === 1) reportFirstRequest();
		else sendJson(response, 200, { sub: fingerprint, status: 'registered' });
	});
	rig.changeCredential({ baseUrl: server.url });
	let cancel: () => void = () => undefined;
	const cancelled = rig.operate('key', 'get', { fingerprint }, undefined, {
		onStart: (stop) => (cancel = stop),
	});
	await firstRequest;
	const others = twenty.map(async () => await rig.getOutput('key', 'get', { fingerprint }));
	setTimeout(() => cancel(), 200);
	expect(await Promise.all(others)).toHaveLength(20);
	expect((await cancelled).outputItems).toEqual([]);
	expect(server.requests).toHaveLength(2);
});
