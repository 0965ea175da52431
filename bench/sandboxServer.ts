import Fastify from 'fastify';

import { startSandbox } from '../sandbox/server';

/** The process that bench/sandbox.ts measures: a bare route and the sandbox, side by side. */
async function main(): Promise<void> {
	const bare = Fastify();
	bare.get('/thing/:id', ({ params }) => ({ id: (params as { id: string }).id, name: 'a thing' }));
	const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

	const { addresses, demo } = await startSandbox();
	const twoFactor = { [demo.twoFactor.headerName]: demo.twoFactor.apiKey };
	const eventData = { [demo.eventData.headerName]: demo.eventData.apiKey };
	const list = await fetch(`${addresses.eventData}/events`, { headers: eventData });
	const { data } = (await list.json()) as { data: Array<{ id: string }> };

	process.send!([
		{ name: 'bare Fastify route', url: `${bareUrl}/thing/1`, headers: {} },
		{
			name: 'identity: get a key',
			url: `${addresses.passwordlessIdentity}/key/${demo.user.fingerprint}`,
			headers: {},
		},
		{
			name: 'two-factor: get application details',
			url: `${addresses.twoFactor}/protected/json/app/details`,
			headers: twoFactor,
		},
		{
			name: 'event data: get an event',
			url: `${addresses.eventData}/events/${data[0]!.id}`,
			headers: eventData,
		},
	]);
	process.on('message', () => {
		globalThis.gc?.();
		const { heapUsed, rss } = process.memoryUsage();
		process.send!({ heap: heapUsed, rss });
	});
}

void main();
