import { startFaultProxy } from '../../support/faults/proxy';
import type { FaultProxy } from '../../support/faults/proxy';
import { openRig } from '../../support/sandboxRig';
import type { Rig } from '../../support/sandboxRig';

/** Several sandboxes behind one proxy. Each runs one case at a time. */
export interface SandboxPool {
	proxy: FaultProxy;
	/** Runs jobs concurrently, each on a sandbox that was reset, as many at a time as there are sandboxes. */
	runEach: <T, R>(jobs: readonly T[], run: (rig: Rig, job: T) => Promise<R>) => Promise<R[]>;
	close: () => Promise<void>;
}

/** Opens a pool of this many sandboxes. */
export async function openSandboxPool(count: number): Promise<SandboxPool> {
	const proxy = await startFaultProxy();
	const rigs: Rig[] = [];
	for (let opened = 0; opened < count; opened++) rigs.push(await openRig({ registrations: 100 }));
	return {
		proxy,
		runEach: async (jobs, run) => {
			const results: Array<Awaited<ReturnType<typeof run>>> = [];
			let next = 0;
			const ends = await Promise.allSettled(
				rigs.map(async (rig) => {
					while (next < jobs.length) {
						const index = next++;
						rig.sandbox.reset();
						results[index] = await run(rig, jobs[index]!);
					}
				}),
			);
			for (const end of ends) if (end.status === 'rejected') throw end.reason;
			return results;
		},
		close: async () => {
			await proxy.close();
			await Promise.all(rigs.map(async (rig) => await rig.close()));
		},
	};
}
