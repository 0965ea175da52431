import type { IExecuteFunctions } from 'n8n-workflow';

import { runsRecovery } from '../../../nodes/engine/n8n/startupRecovery';
import { probe } from './engine';
import { itWithN8n, n8nSource } from './installed';

it('contexts of n8n show the type of their process', async () => {
	const types = await probe((context) => [
		runsRecovery(context),
		(context as IExecuteFunctions & { instanceSettings?: { instanceType?: string } })
			.instanceSettings?.instanceType,
	]);
	expect(types).toEqual([true, 'main']);
});

itWithN8n('n8n resumes what is overdue before its recovery, which its server runs', async () => {
	const [start, server, bus] = await Promise.all([
		n8nSource('dist/commands/start.js'),
		n8nSource('dist/server.js'),
		n8nSource('dist/eventbus/message-event-bus/message-event-bus.js'),
	]);
	const init = start.indexOf('WaitTracker).init()');
	const serve = start.indexOf('this.server.start()');
	expect(init).toBeGreaterThan(0);
	expect(serve).toBeGreaterThan(init);
	expect(server).toMatch(/MessageEventBus\);\s+await eventBus\.initialize\(\)/);
	expect(bus).toMatch(/async initialize[^]*await this\.performStartupRecovery\(\)/);
});
