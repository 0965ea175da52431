import type { WallClock } from '../executionRecords';
import type { AskedRequest } from './approval';

/** Whether a request has expired, by the clock of n8n or by that of the service. */
export const hasExpired = (
	clock: WallClock,
	{ at, expiresInMs, decision }: AskedRequest,
	now: number,
): boolean =>
	(decision?.outcome === 'expired' && decision.at <= now) ||
	clock.hasPassed(expiresInMs - 1000, at, now);

/** Whether the service said at least once that it does not know a request. */
export const isUnknown = ({ reads }: AskedRequest) =>
	reads.some(({ fault }) => fault === 'unknown');

/** Whether the last reading of an open request failed, or showed the answer of another person. */
export function wasUnread(clock: WallClock, request: AskedRequest, at: number): boolean {
	const { decision, reads, isKnown, answeredByAnotherAt = Infinity } = request;
	const last = reads.findLast(({ respondedAt = Infinity }) => respondedAt <= at);
	if (!isKnown || !last || isUnknown(request) || hasExpired(clock, request, at)) return false;
	const { executedAt = 0 } = last;
	if (executedAt > answeredByAnotherAt) return true;
	// An answer that was read is final.
	const wasRead = reads.some(
		(read) =>
			decision !== undefined && (read.executedAt ?? 0) > decision.at && !hasFailed(read.fault),
	);
	return !wasRead && hasFailed(last.fault);
}

const hasFailed = (fault: string | undefined) => fault !== undefined && fault !== 'delayed';
