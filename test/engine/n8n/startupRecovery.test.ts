import type { IExecuteFunctions } from 'n8n-workflow';

import { runsRecovery } from '../../../nodes/engine/n8n/startupRecovery';
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
