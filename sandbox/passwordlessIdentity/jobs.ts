import type { World } from '../service';
import { ProblemError } from './problems';
import type { PasswordlessIdentitySettings } from './settings';
import type { Claims } from './tokens';

export type JobState = 'outstanding' | 'completed' | 'cancelled' | 'timedOut';

/** A request for claims, from Issue to its end. */
export interface Job {
	job: string;
	/** The requesting application. */
	iss: string;
	/** The user whose claims are requested. */
	sub: string;
	scope: string;
	email?: string;
	phone?: string;
	type?: string;
	test: boolean;
	state: JobState;
	createdAt: number;
	expiresAt: number;
	finishedAt?: number;
	/** The code that must be confirmed before the job can be completed. */
	code?: string;
	confirmed: boolean;
	token?: string;
	claims?: Claims;
}

type NewJob = Pick<Job, 'iss' | 'sub' | 'scope' | 'email' | 'phone' | 'type' | 'test'>;

const phoneStatus = {
	outstanding: 'waiting',
	completed: 'completed',
	cancelled: 'cancelled',
	timedOut: 'expired',
} as const;

const MAX_JOBS = 20_000;
const MINUTE_MS = 60_000;

/** All scope jobs. Expiry is detected on access; the phone is notified of every change. */
export class Jobs {
	private readonly jobs = new Map<string, Job>();
	/** Times at which each application issued its newest jobs. */
	private readonly issueTimesByApplication = new Map<string, number[]>();

	constructor(
		private readonly world: World,
		private readonly settings: PasswordlessIdentitySettings,
	) {}

	reset(): void {
		this.jobs.clear();
		this.issueTimesByApplication.clear();
	}

	/** Counts a new job of this application. Rejects with 429 if the application has reached its limit per minute. */
	requireWithinIssueLimit(iss: string): void {
		const { scopeIssuesPerMinute: maxIssues } = this.settings;
		if (maxIssues <= 0) return;
		const now = this.world.now();
		const recentIssueTimes = (this.issueTimesByApplication.get(iss) ?? []).filter(
			(issuedAt) => issuedAt > now - MINUTE_MS,
		);
		if (recentIssueTimes.length >= maxIssues) {
			const waitSeconds = Math.max(1, Math.ceil((recentIssueTimes[0]! + MINUTE_MS - now) / 1000));
			throw new ProblemError(429, 'rate-limit', 'Too many jobs were issued within a minute.', {
				'retry-after': String(waitSeconds),
			});
		}
		this.issueTimesByApplication.set(iss, [...recentIssueTimes, now]);
	}

	add(fields: NewJob): Job {
		const createdAt = this.world.now();
		const job: Job = {
			...fields,
			job: this.world.random.text(20),
			state: 'outstanding',
			createdAt,
			expiresAt: createdAt + this.settings.scopeJobSeconds * 1000,
			confirmed: false,
		};
		this.jobs.set(job.job, job);
		// Removes the oldest job, so that a sandbox that runs for weeks stays small.
		if (this.jobs.size > MAX_JOBS) this.jobs.delete(this.jobs.keys().next().value!);
		this.notifyPhone(job);
		return job;
	}

	/** Returns a job in its current state, if it is known. */
	find(id: string): Job | undefined {
		const job = this.jobs.get(id);
		if (job?.state === 'outstanding' && job.expiresAt <= this.world.now()) {
			this.finish(job, 'timedOut', job.expiresAt);
		}
		return job;
	}

	/** Returns a job that can still be answered; rejects with 404 otherwise. */
	getOutstanding(id: string): Job {
		const job = this.find(id);
		if (job?.state === 'outstanding') return job;
		throw new ProblemError(404, 'unknown-job', 'No job with this identifier is outstanding.');
	}

	list(): Job[] {
		return [...this.jobs.keys()].map((id) => this.find(id)!);
	}

	complete(job: Job, token: string, claims: Claims): void {
		job.token = token;
		job.claims = claims;
		this.finish(job, 'completed', this.world.now());
	}

	cancel(job: Job): void {
		this.finish(job, 'cancelled', this.world.now());
	}

	/** Ends the job as if its time had run out. */
	expire(job: Job): void {
		job.expiresAt = this.world.now();
		this.finish(job, 'timedOut', job.expiresAt);
	}

	private finish(job: Job, state: JobState, finishedAt: number): void {
		job.state = state;
		job.finishedAt = finishedAt;
		this.notifyPhone(job);
	}

	/** Test jobs are not shown: they test the integration without disturbing a user. */
	private notifyPhone(job: Job): void {
		if (job.test) return;
		this.world.phone.deliver({
			kind: 'scopeJob',
			id: job.job,
			at: job.createdAt,
			to: { fingerprint: job.sub },
			from: job.iss,
			scope: job.scope,
			status: phoneStatus[job.state],
			expiresAt: job.expiresAt,
			type: job.type,
		});
	}
}
