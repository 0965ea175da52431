import { readFile } from 'node:fs/promises';

/** Unit in which the kernel counts the CPU time of processes. */
const TICK_MS = 10;

export interface ProcessUsage {
	/** CPU time in milliseconds since the process began. */
	cpuMs: number;
	/** Resident memory in bytes. */
	memoryBytes: number;
}

/** Reads CPU time and memory of a process. Linux only. */
export async function readUsage(pid: number): Promise<ProcessUsage> {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)![1]);
	const ticks = Number(fields[11]) + Number(fields[12]);
	return { cpuMs: TICK_MS * ticks, memoryBytes: 1024 * kilobytes };
}

/** Returns the largest resident memory of a process since it began, in bytes. Linux only. */
export async function readPeakMemory(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)![1]);
}
