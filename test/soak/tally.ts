import type { StartedExecution } from '../../lab/drive/triggerWorkflows';

/** An id, and how it ended by the service's own account. */
export interface EndedId {
	id: string;
	outcome: string;
}

/** One execution that reads a list: how it went, and how many items each list gave. */
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

/** A message that is a sentence for people. */
const SENTENCE =
	/^[A-Z](?!.*(Cannot read|undefined|is not a function|ECONN|socket hang up)).{12,}$/s;

/** Compares n8n's executions with the service's records. */
export function tally(
	endedIds: readonly EndedId[],
	executions: readonly StartedExecution[],
	readings: readonly Reading[],
	expected: readonly number[],
): Tally {
	const starts = new Map<string, StartedExecution[]>();
	const violations: string[] = [];
	const isReport = ({ id, status, error }: StartedExecution) =>
		id === undefined && status === 'error' && SENTENCE.test(`${error ?? ''}`);
	const runs = executions.filter((execution) => !isReport(execution));
	for (const execution of runs) {
		const { id = '' } = execution;
		starts.set(id, [...(starts.get(id) ?? []), execution]);
		if (execution.status !== 'success') {
			violations.push(
				`Execution ${execution.execution} is ${execution.status}: ${execution.error}`,
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
		if (counts.join() !== expected.join()) {
			violations.push(
				`A reading gave ${counts.join(' and ')} items instead of ${expected.join(' and ')}`,
			);
		}
	}
	const failedReadings = readings.filter(({ status }) => status !== 'success');
	for (const { status, error } of failedReadings) {
		if (status !== 'error' || !SENTENCE.test(`${error ?? ''}`)) {
			violations.push(`A reading is ${status} without a clear error: ${error}`);
		}
	}
	return {
		started: runs.length,
		reports: executions.length - runs.length,
		read: successfulReadings.length,
		failedReads: failedReadings.length,
		violations,
	};
}
