import { createDemo } from './demo';
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
	const hooks: Array<() => void> = [];
	const internalErrors: InternalError[] = [];
	const phone = new PhoneBus();
	const desk = new DeskBus();
	const requestLog = new RequestLog();
	let offset = 0;
	let source = createRandom(idSeed ?? seed);
	// Services keep a reference to this object; a reset must rewind the sequence behind it.
	const random: Random = {
		next: () => source.next(),
		int: (min, max) => source.int(min, max),
		pick: (list) => source.pick(list),
		text: (length, alphabet) => source.text(length, alphabet),
		digits: (length) => source.digits(length),
		uuid: () => source.uuid(),
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
		now: () => Date.now() + offset,
		advance(ms) {
			if (!Number.isFinite(ms) || ms < 0) throw new Error('The clock only moves forward');
			offset += ms;
			phone.refresh();
			desk.refresh();
		},
		onReset(hook) {
			hooks.push(hook);
		},
		reset() {
			offset = 0;
			// A start with its own `idSeed` must not issue the same IDs twice.
			if (idSeed === undefined) source = createRandom(seed);
			internalErrors.length = 0;
			requestLog.clear();
			phone.clear();
			desk.clear();
			for (const hook of hooks) hook();
		},
	};
}
