export interface WeeklyRun {
	status: string;
	conclusion: string;
	createdAt: string;
	url: string;
}

export function findReasonAgainstRelease(runs: WeeklyRun[], now: number): string | undefined;
