import type { PollResult } from '../../../nodes/engine/watch';
import type { SimulatedId } from './idHistory';

/** Outcomes of IDs whose responses are abnormal. */
export const ABNORMAL = { unrecognized: 'unrecognized', doubtful: 'unproven' };

/** Returns the response of a service that works to a poll of an ID at a time, or garbles all responses. */
export function responseFor(
	simulated: SimulatedId,
	id: string,
	nowMs: number,
	isGarbled: boolean,
): PollResult {
	if (nowMs < simulated.rejectedUntil) return { kind: 'failed', message: '422' };
	const kind = nowMs >= simulated.abnormalFrom ? simulated.abnormalKind : undefined;
	if (isGarbled || kind === 'unrecognized') {
		return { kind: 'unrecognized', message: '?', outcome: ABNORMAL.unrecognized };
	}
	if (kind === 'webPage') return { kind: 'unrecognized', message: '<' };
	if (nowMs >= simulated.unknownFrom) return { kind: 'missing' };
	if (kind === 'doubtful') return { kind: 'doubtful', outcome: ABNORMAL.doubtful };
	const { finishedAt = Infinity, outcome } = simulated;
	return nowMs >= finishedAt ? { kind: 'finished', outcome, result: id } : { kind: 'pending' };
}
