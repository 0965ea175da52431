import { startFaultProxy } from '../../support/faults/proxy';
import type { FaultProxy } from '../../support/faults/proxy';
import { openRig } from '../../support/sandboxRig';
import type { Rig } from '../../support/sandboxRig';

/** Sandboxes side by side, each for one case at a time, behind one proxy. */
export interface SandboxPool {
	proxy: FaultProxy;
	/** Runs jobs, each on a sandbox of its own that is back at its start, as many at a time as there are lanes. */
	each: <T, R>(jobs: readonly T[], run: (rig: Rig, job: T) => Promise<R>) => Promise<R[]>;
	close: () => Promise<void>;
}

/** Opens this many lanes. */
export async function openSandboxPool(count: number): Promise<SandboxPool> {
	const proxy = await startFaultProxy();
	const installations: Rig[] = [];
	for (let lane = 0; lane < count; lane++)
		installations.push(await openRig({ registrations: 100 }));
	return {
		proxy,
		each: async (jobs, run) => {
			const results: Array<Awaited<ReturnType<typeof run>>> = [];
			let next = 0;
			const ends = await Promise.allSettled(
				installations.map(async (rig) => {
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
			await Promise.all(installations.map(async (rig) => await rig.close()));
		},
	};
}
