import { createDemo } from './demoIdentities';
import { DeskBus } from './deskBus';
import { PhoneBus } from './phoneBus';
import { createRandom } from './random';
import type { Random } from './random';
import { RequestLog } from './requestLog';
import { serviceNames } from './service';
import type { InternalError, World } from './service';

/** Creates a world with empty settings, which the server fills when it mounts the services. */
export function createWorld(
	options: { seed?: number; idSeed?: number; registrations?: number; contacts?: number } = {},
): World {
	const { seed = 1, idSeed } = options;
	const resetHooks: Array<() => void> = [];
	const internalErrors: InternalError[] = [];
	const phone = new PhoneBus();
	const desk = new DeskBus();
	const requestLog = new RequestLog();
	let clockOffsetMs = 0;
	let generator = createRandom(idSeed ?? seed);
	// Services keep a reference to this object; a reset must rewind the sequence behind it.
	const random: Random = {
		next: () => generator.next(),
		int: (min, max) => generator.int(min, max),
		pick: (list) => generator.pick(list),
		text: (length, alphabet) => generator.text(length, alphabet),
		digits: (length) => generator.digits(length),
		uuid: () => generator.uuid(),
	};
	return {
		seed,
		registrations: options.registrations ?? 5000,
		contacts: options.contacts,
		random,
		phone,
		desk,
		requestLog,
		internalErrors,
		demo: createDemo(),
		settings: Object.fromEntries(serviceNames.map((name) => [name, {}])) as World['settings'],
		now: () => Date.now() + clockOffsetMs,
		advance(ms) {
			if (!Number.isFinite(ms) || ms < 0) throw new Error('The clock only moves forward');
			clockOffsetMs += ms;
			phone.refresh();
			desk.refresh();
		},
		onReset(hook) {
			resetHooks.push(hook);
		},
		reset() {
			clockOffsetMs = 0;
			// A start with its own `idSeed` must not issue the same IDs twice.
			if (idSeed === undefined) generator = createRandom(seed);
			internalErrors.length = 0;
			requestLog.clear();
			phone.clear();
			desk.clear();
			for (const hook of resetHooks) hook();
		},
	};
}
