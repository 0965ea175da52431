import type { Started } from '../../lab/drive/triggerWorkflows';

/** An id, and how it ended by the service's own account. */
export interface Ended {
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
	broken: string[];
}

/** A message that is a sentence for people. */
const SENTENCE =
	/^[A-Z](?!.*(Cannot read|undefined|is not a function|ECONN|socket hang up)).{12,}$/s;

/** Holds what n8n has done against what the service says. */
export function tally(
	ended: readonly Ended[],
	executions: readonly Started[],
	readings: readonly Reading[],
	expected: readonly number[],
): Tally {
	const starts = new Map<string, Started[]>();
	const broken: string[] = [];
	const isReport = ({ id, status, error }: Started) =>
		id === undefined && status === 'error' && SENTENCE.test(`${error ?? ''}`);
	const runs = executions.filter((execution) => !isReport(execution));
	for (const execution of runs) {
		const { id = '' } = execution;
		starts.set(id, [...(starts.get(id) ?? []), execution]);
		if (execution.status !== 'success') {
			broken.push(`Execution ${execution.execution} is ${execution.status}: ${execution.error}`);
		}
	}
	for (const { id, outcome } of ended) {
		const own = starts.get(id) ?? [];
		starts.delete(id);
		if (own.length !== 1) broken.push(`${id} (${outcome}) started ${own.length} times`);
		for (const start of own) {
			if (start.outcome !== outcome) {
				broken.push(`${id} ended ${outcome} and started with ${start.outcome}`);
			}
		}
	}
	for (const [id, own] of starts) {
		broken.push(`${own.length} executions started with ${id || 'no ID'}, which never ended`);
	}
	const read = readings.filter(({ status }) => status === 'success');
	for (const { counts } of read) {
		if (counts.join() !== expected.join()) {
			broken.push(
				`A reading gave ${counts.join(' and ')} items instead of ${expected.join(' and ')}`,
			);
		}
	}
	const failed = readings.filter(({ status }) => status !== 'success');
	for (const { status, error } of failed) {
		if (status !== 'error' || !SENTENCE.test(`${error ?? ''}`)) {
			broken.push(`A reading is ${status} without clear words: ${error}`);
		}
	}
	return {
		started: runs.length,
		reports: executions.length - runs.length,
		read: read.length,
		failedReads: failed.length,
		broken,
	};
}
