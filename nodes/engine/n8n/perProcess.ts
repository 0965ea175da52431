// State shared by all copies of the pack in one process.
//
// Relies on: n8n-workflow is loaded once per process, and its exported functions accept properties
//   (n8n-workflow, dist/cjs/utils.js: `sleep`). n8n drops the pack's own modules when it updates the pack
//   (n8n, dist/modules/community-packages).
// Verified on: 1.123.81, 2.20.12, 2.33.7, 2.40.7, 2.41.1 (test:generations: every node loads with it); an update while
//   triggers run on 2.41.1 (test/e2e/update.e2e.ts).
// If absent: with a frozen `sleep` the pack does not load. With one n8n-workflow per package, each package has its own
//   state: a webhook does not find its trigger and answers 503.

import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

/** Identifies this load of the pack's modules among others in the same process. */
export const loadId = randomUUID();

const SHARED = Symbol.for('n8n-nodes-gatehouse');

type Holder = typeof sleep & { [SHARED]?: Map<string, unknown> };

/**
 * Returns the value that this process has under a name, and creates it on first use. A module variable would not be enough:
 * when the pack is updated, n8n reloads its modules for webhooks and executions, while running triggers keep the old ones.
 * Two versions of the pack may therefore use the same value, so a change of the value's interface needs another name.
 */
export function perProcess<T>(name: string, make: () => T): T {
	// Adds a property to n8n's function. The key is the pack's own symbol, so the property collides with no other.
	const shared = ((sleep as Holder)[SHARED] ??= new Map<string, unknown>());
	if (!shared.has(name)) shared.set(name, make());
	return shared.get(name) as T;
}
