import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { sleepUnlessAborted } from './outages';

const execute = promisify(execFile);
const SAMPLE_INTERVAL_MS = 5000;

/** Memory of a process over time, in MB. */
export type MemorySamples = number[];

/** Samples the memory of a process until the signal aborts. */
export async function watchMemory(pid: () => number, signal: AbortSignal): Promise<MemorySamples> {
	const samples: MemorySamples = [];
	do {
		const { stdout } = await execute('ps', ['-o', 'rss=', '-p', `${pid()}`]).catch(() => ({
			stdout: '',
		}));
		const kilobytes = Number(stdout.trim());
		if (kilobytes > 0) samples.push(Math.round(kilobytes / 1024));
	} while (await sleepUnlessAborted(SAMPLE_INTERVAL_MS, signal));
	return samples;
}

/** Summary of memory samples, in MB. */
export interface Memory {
	first: number;
	most: number;
	/** Medians of the middle and of the last third. The growth from one to the other shows a leak. */
	middle: number;
	last: number;
}

/** Summarizes memory samples. */
export function summarizeMemory(samples: MemorySamples): Memory {
	const third = Math.max(1, Math.floor(samples.length / 3));
	return {
		first: samples[0] ?? 0,
		most: Math.max(0, ...samples),
		middle: median(samples.slice(third, 2 * third)),
		last: median(samples.slice(-third)),
	};
}

const median = (values: number[]): number =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
