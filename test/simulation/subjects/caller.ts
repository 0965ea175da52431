import type { World } from '../world/world';

const RESUBMIT_MS = 5000;
/** A caller that got no response repeats the submission after this time. */
const RESPONSE_TIMEOUT_MS = 40_000;

/** Returns a function that submits an ID to a trigger until n8n acknowledges it. `post` resolves with a status. */
export function createCaller(
	world: World,
	trigger: string,
	post: (id: string) => Promise<number>,
): (id: string) => Promise<void> {
	let submissionCount = 0;
	return async (id) => {
		for (;;) {
			const submission = ++submissionCount;
			world.record({ type: 'submitted', submission, ids: [id], trigger });
			const status = await Promise.race([
				post(id),
				world.machine.sleep(RESPONSE_TIMEOUT_MS).then(() => 0),
			]);
			world.record({ type: 'acknowledged', submission, status });
			if (status === 200) return;
			await world.machine.sleep(RESUBMIT_MS);
		}
	};
}
