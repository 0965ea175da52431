import type { History } from '../history';
import {
	wasKilledWhileRunning,
	wasParkedAgainAtStart,
	wasRunningAtTakeover,
} from './executionRecords';
import type { ExecutionRecord } from './executionRecords';
import type { Verdict } from './verdict';

/** Checks that an execution is lost only within the documented limits. Returns whether it was lost. */
export function checkLoss(history: History, execution: ExecutionRecord, verdict: Verdict): boolean {
	const { id, end } = execution;
	const isCrashed = end?.status === 'crashed';
	if (end && !isCrashed) return false;
	if (wasKilledWhileRunning(history, id))
		verdict.excuse('n8n was killed while the execution was running');
	else if (!isCrashed) return false;
	else if (wasParkedAgainAtStart(history, execution))
		verdict.excuse('n8n was starting when a Wait node behind the node parked the execution');
	else if (wasRunningAtTakeover(history, execution))
		verdict.excuse('a second process of n8n took a running execution for a crashed one');
	else verdict.violate('a parked execution survives a crash', end.at, id);
	return true;
}
