import { everyCrash, playAll, playOne, playRandom } from './simulate';
import type { RandomOptions } from './simulate';
import type { Subject } from './subjects/subject';
import { bundlePack } from './world/packBundle';
import type { PackBundle, Patch } from './world/packBundle';

/**
 * Looks for a planted bug: in the short histories, in random ones, then with a crash at every effect of the short ones. The pack
 * as it is must keep its promises in the history that breaks one with the bug. Returns whether both hold, and prints the result.
 */
export async function findPlanted(
	subject: Subject,
	patch: Patch,
	unpatched: PackBundle,
	options: RandomOptions,
): Promise<boolean> {
	const startedMs = performance.now();
	const bundle = await bundlePack(patch);
	const failure =
		(await playAll(subject, subject.shortPlans, bundle)) ??
		(await playRandom(subject, bundle, { ...options, endOnFailure: true })) ??
		(await playAll(subject, everyCrash(subject, bundle), bundle));
	const seconds = Math.round((performance.now() - startedMs) / 1000);
	const print = (result: string) =>
		console.log(`${subject.name}, ${seconds} s, ${patch.name}: ${result}`);
	if (!failure) {
		print('NOT FOUND');
		return false;
	}
	const { message } = await playOne(subject, failure.plan, unpatched);
	if (message) {
		print(`ALSO WITHOUT THE BUG: ${message}\nPlan: ${JSON.stringify(failure.plan)}`);
		return false;
	}
	print(`found after ${failure.found} histories (${failure.message})`);
	return true;
}
