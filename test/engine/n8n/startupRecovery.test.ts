// Protects parked executions while n8n starts: the pack knows when the recovery, which may mark them as crashed, is over.
import type { IExecuteFunctions } from 'n8n-workflow';

import { readinessIn, runsRecovery } from '../../../nodes/engine/n8n/startupRecovery';
import { runInNode } from './engine';
import { itWithN8n, readN8nSource } from './installed';

it("runsRecovery reads the type of the process from n8n's context", async () => {
	const types = await runInNode((context) => [
		runsRecovery(context),
		(context as IExecuteFunctions & { instanceSettings?: { instanceType?: string } })
			.instanceSettings?.instanceType,
	]);
	expect(types).toEqual([true, 'main']);
});

itWithN8n(
	'n8n resumes overdue executions before its server runs the startup recovery',
	async () => {
		const [start, server, bus] = await Promise.all([
			readN8nSource('dist/commands/start.js'),
			readN8nSource('dist/server.js'),
			readN8nSource('dist/eventbus/message-event-bus/message-event-bus.js'),
		]);
		const initPosition = start.indexOf('WaitTracker).init()');
		const servePosition = start.indexOf('this.server.start()');
		expect(initPosition).toBeGreaterThan(0);
		expect(servePosition).toBeGreaterThan(initPosition);
		expect(server).toMatch(/MessageEventBus\);\s+await eventBus\.initialize\(\)/);
		expect(bus).toMatch(/async initialize[^]*await this\.performStartupRecovery\(\)/);
	},
);

itWithN8n('n8n reports that it is ready only after its startup recovery', async () => {
	const [server, base] = await Promise.all([
		readN8nSource('dist/server.js'),
		readN8nSource('dist/abstract-server.js'),
	]);
	// The server's `start` awaits `configure`, which awaits the recovery.
	expect(server).toMatch(/await super\.start\(\);[^]*this\.markAsReady\(\)/);
	expect(server).toMatch(/async configure\(\)[^]*await eventBus\.initialize\(\)/);
	expect(base).toMatch(/async start\(\)[^]*await this\.configure\(\)/);
	expect(base).toMatch(/this\.fullyReady\) {\s+res\.status\(200\)\.send\({ status: 'ok' }\)/);
});

it.each([
	[200, { status: 'ok' }, true],
	[503, { status: 'error' }, false],
	[200, { status: 'error' }, undefined],
	[503, 'Service Unavailable', undefined],
	[200, 'n8n is starting up. Please wait', undefined],
	[200, '<html>', undefined],
	[404, { status: 'ok' }, undefined],
	[200, null, undefined],
])('%s with %j means that n8n is ready: %s', (status, body, isReady) => {
	expect(readinessIn({ status, body })).toBe(isReady);
});
