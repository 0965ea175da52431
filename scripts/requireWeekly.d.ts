export interface WeeklyRun {
	status: string;
	conclusion: string;
	createdAt: string;
	url: string;
}

export function findReasonAgainstRelease(runs: WeeklyRun[], nowMs: number): string | undefined;
