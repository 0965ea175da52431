import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { sleepUnlessAborted } from './outages';

const run = promisify(execFile);
const EVERY_MS = 5000;

/** Memory of a process over time, in MB. */
export type Course = number[];

/** Samples the memory of a process until the signal aborts. */
export async function watchMemory(pid: () => number, signal: AbortSignal): Promise<Course> {
	const course: Course = [];
	do {
		const { stdout } = await run('ps', ['-o', 'rss=', '-p', `${pid()}`]).catch(() => ({
			stdout: '',
		}));
		const kilobytes = Number(stdout.trim());
		if (kilobytes > 0) course.push(Math.round(kilobytes / 1024));
	} while (await sleepUnlessAborted(EVERY_MS, signal));
	return course;
}

/** Summary of a course. */
export interface Memory {
	first: number;
	most: number;
	/** The medians of its middle and of its last third: what one has grown beyond the other is what leaks. */
	middle: number;
	last: number;
}

/** Sums a course up. */
export function summarizeMemory(course: Course): Memory {
	const third = Math.max(1, Math.floor(course.length / 3));
	return {
		first: course[0] ?? 0,
		most: Math.max(0, ...course),
		middle: median(course.slice(third, 2 * third)),
		last: median(course.slice(-third)),
	};
}

const median = (values: number[]): number =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
