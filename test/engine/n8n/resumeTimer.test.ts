// Protects later waits of a resumed execution: n8n sets its timer no earlier than the pack assumes, so no old one ends them.
import { TIMER_WINDOW_MS } from '../../../nodes/engine/n8n/resumeTimer';
import { runInN8n, itWithN8n } from './installed';

itWithN8n('n8n sets the timer of a wait within TIMER_WINDOW_MS before its end', () => {
	const { scanMs, aheadMs, timers } = runInN8n(`
		const set = { interval: [], timeout: [] };
		const { WaitTracker } = load('./dist/wait-tracker.js');
		const { ExecutionRepository } = load('@n8n/db');
		const now = Date.now();
		let aheadMs;
		const repository = Object.create(ExecutionRepository.prototype, {
			globalConfig: { value: { database: { type: 'postgresdb' } } },
			findMultipleExecutions: { value: async ({ where }) => {
				aheadMs = where.waitTill.value.getTime() - now;
				return [{ id: '1', waitTill: new Date(now + 65_000) }];
			} },
		});
		const logger = { scoped: () => logger, debug() {}, info() {}, error() {} };
		const tracker = new WaitTracker(logger, repository, {}, {}, {}, {}, { isLeader: true });
		tracker.resumeParentsOfFinishedSubExecutions = async () => undefined;
		const real = { setInterval, setTimeout };
		globalThis.setInterval = (_, ms) => set.interval.push(ms);
		globalThis.setTimeout = (_, ms) => set.timeout.push(ms);
		tracker.init();
		await new Promise((resolve) => setImmediate(resolve));
		Object.assign(globalThis, real);
		return { scanMs: set.interval[0], aheadMs, timers: set.timeout };
	`) as { scanMs: number; aheadMs: number; timers: number[] };
	expect(timers).toHaveLength(1);
	expect(aheadMs).toBeLessThan(TIMER_WINDOW_MS);
	// A scan happens before the timer of every wait must be set.
	expect(scanMs).toBeLessThan(aheadMs);
});
