import { openHouse } from '../../support/house';
import type { House } from '../../support/house';
import { startFaultProxy } from '../../support/faults/proxy';
import type { FaultProxy } from '../../support/faults/proxy';

/** Sandboxes side by side, each for one case at a time, behind one proxy. */
export interface Lanes {
	proxy: FaultProxy;
	/** Runs jobs, each on a sandbox of its own that is back at its start, as many at a time as there are lanes. */
	each: <T, R>(jobs: readonly T[], run: (house: House, job: T) => Promise<R>) => Promise<R[]>;
	close: () => Promise<void>;
}

/** Opens so many lanes. */
export async function openLanes(count: number): Promise<Lanes> {
	const proxy = await startFaultProxy();
	const houses: House[] = [];
	for (let lane = 0; lane < count; lane++) houses.push(await openHouse({ registrations: 100 }));
	return {
		proxy,
		each: async (jobs, run) => {
			const results: Array<Awaited<ReturnType<typeof run>>> = [];
			let next = 0;
			const ends = await Promise.allSettled(
				houses.map(async (house) => {
					while (next < jobs.length) {
						const index = next++;
						house.sandbox.reset();
						results[index] = await run(house, jobs[index]!);
					}
				}),
			);
			for (const end of ends) if (end.status === 'rejected') throw end.reason;
			return results;
		},
		close: async () => {
			await proxy.close();
			await Promise.all(houses.map(async (house) => await house.close()));
		},
	};
}
