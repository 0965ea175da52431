import type { StartedExecution } from '../../lab/drive/triggerWorkflows';

/** An ID, and its outcome according to the service. */
export interface EndedId {
	id: string;
	outcome: string;
}

/** One execution that reads lists: its status, and the number of items of each list. */
export interface Reading {
	status: string;
	error?: string;
	counts: number[];
}

/** Number of checks per guarantee, and the violations. */
export interface Tally {
	started: number;
	/** Failed executions by which a trigger reports an unavailable service; no event started them. */
	reports: number;
	read: number;
	failedReads: number;
	violations: string[];
}

/** Matches an error message that is a sentence for people. */
const CLEAR_MESSAGE =
	/^[A-Z](?!.*(Cannot read|undefined|is not a function|ECONN|socket hang up)).{12,}$/s;

/** Compares n8n's executions with the service's records. */
export function tally(
	endedIds: readonly EndedId[],
	executions: readonly StartedExecution[],
	readings: readonly Reading[],
	expectedCounts: readonly number[],
): Tally {
	const starts = new Map<string, StartedExecution[]>();
	const violations: string[] = [];
	const isReport = ({ id, status, error }: StartedExecution) =>
		id === undefined && status === 'error' && CLEAR_MESSAGE.test(`${error ?? ''}`);
	const startedRuns = executions.filter((execution) => !isReport(execution));
	for (const execution of startedRuns) {
		const { id = '' } = execution;
		starts.set(id, [...(starts.get(id) ?? []), execution]);
		if (execution.status !== 'success') {
			violations.push(
				`Execution ${execution.executionId} is ${execution.status}: ${execution.error}`,
			);
		}
	}
	for (const { id, outcome } of endedIds) {
		const idStarts = starts.get(id) ?? [];
		starts.delete(id);
		if (idStarts.length !== 1)
			violations.push(`${id} (${outcome}) started ${idStarts.length} times`);
		for (const start of idStarts) {
			if (start.outcome !== outcome) {
				violations.push(`${id} ended ${outcome} and started with ${start.outcome}`);
			}
		}
	}
	for (const [id, idStarts] of starts) {
		violations.push(
			`${idStarts.length} executions started with ${id || 'no ID'}, which never ended`,
		);
	}
	const successfulReadings = readings.filter(({ status }) => status === 'success');
	for (const { counts } of successfulReadings) {
		if (counts.join() !== expectedCounts.join()) {
			violations.push(
				`A reading gave ${counts.join(' and ')} items instead of ${expectedCounts.join(' and ')}`,
			);
		}
	}
	const failedReadings = readings.filter(({ status }) => status !== 'success');
	for (const { status, error } of failedReadings) {
		if (status !== 'error' || !CLEAR_MESSAGE.test(`${error ?? ''}`)) {
			violations.push(`A reading is ${status} without a clear error: ${error}`);
		}
	}
	return {
		started: startedRuns.length,
		reports: executions.length - startedRuns.length,
		read: successfulReadings.length,
		failedReads: failedReadings.length,
		violations,
	};
}
