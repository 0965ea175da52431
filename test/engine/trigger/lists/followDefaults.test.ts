// Protects the default pace and limits of list triggers: other defaults change the load on the service and on n8n.
import { FOLLOW_DEFAULTS } from '../../../../nodes/engine/trigger/lists/core/types';

test('by default, a follower polls every minute, reads two minutes back, and allows ten unconfirmed starts', () => {
	expect(FOLLOW_DEFAULTS).toEqual({
		intervalMs: 60_000,
		overlapMs: 2 * 60_000,
		includeExisting: false,
		batchesChanges: false,
		maxUnconfirmed: 10,
		maxKnown: 10_000,
		repeatStartsForMs: 72 * 3_600_000,
		longestPauseMs: 10 * 60_000,
	});
});
