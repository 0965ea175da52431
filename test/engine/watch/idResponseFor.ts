import type { PollResult } from '../../../nodes/engine/watch';
import type { SimulatedId } from './idHistory';

/** Outcomes of IDs whose responses are abnormal. */
export const ABNORMAL = { unrecognized: 'unrecognized', doubtful: 'unproven' };

/** Returns the response to a poll of an ID at a time. The service works, or garbles all responses. */
export function responseFor(
	simulated: SimulatedId,
	id: string,
	nowMs: number,
	isGarbled: boolean,
): PollResult {
	if (nowMs < simulated.rejectedUntilMs) return { kind: 'failed', message: '422' };
	const abnormalKind = nowMs >= simulated.abnormalFromMs ? simulated.abnormalKind : undefined;
	if (isGarbled || abnormalKind === 'unrecognized') {
		return { kind: 'unrecognized', message: '?', outcome: ABNORMAL.unrecognized };
	}
	if (abnormalKind === 'webPage') return { kind: 'unrecognized', message: '<' };
	if (nowMs >= simulated.unknownFromMs) return { kind: 'missing' };
	if (abnormalKind === 'doubtful') return { kind: 'doubtful', outcome: ABNORMAL.doubtful };
	const { finishedAtMs = Infinity, outcome } = simulated;
	return nowMs >= finishedAtMs ? { kind: 'finished', outcome, result: id } : { kind: 'pending' };
}
