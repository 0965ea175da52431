import type { World } from '../service';
import { Refusal } from './problems';
import type { PasswordlessIdentitySettings } from './settings';
import type { Claims } from './tokens';

export type JobState = 'outstanding' | 'completed' | 'cancelled' | 'timedOut';

/** A request for claims, from Issue to its end. */
export interface Job {
	job: string;
	/** The application that asks. */
	iss: string;
	/** The user who is asked. */
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
	/** The code that has to be confirmed before the job can be completed. */
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

const LIMIT = 20_000;

/** All scope jobs. Expiry is found when a job is looked at; the phone hears of every change. */
export class Jobs {
	private readonly jobs = new Map<string, Job>();
	/** When each application issued its newest jobs. */
	private readonly issues = new Map<string, number[]>();

	constructor(
		private readonly world: World,
		private readonly settings: PasswordlessIdentitySettings,
	) {}

	reset(): void {
		this.jobs.clear();
		this.issues.clear();
	}

	/** Refuses with 429 when this application issued as many jobs as it may in a minute. */
	countIssue(iss: string): void {
		const { scopeIssuesPerMinute: most } = this.settings;
		if (most <= 0) return;
		const now = this.world.now();
		const recent = (this.issues.get(iss) ?? []).filter((at) => at > now - 60_000);
		if (recent.length >= most) {
			const seconds = Math.max(1, Math.ceil((recent[0]! + 60_000 - now) / 1000));
			throw new Refusal(429, 'rate-limit', 'Too many jobs were issued within a minute.', {
				'retry-after': String(seconds),
			});
		}
		this.issues.set(iss, [...recent, now]);
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
		// The oldest goes, so that a sandbox that runs for weeks stays small.
		if (this.jobs.size > LIMIT) this.jobs.delete(this.jobs.keys().next().value!);
		this.show(job);
		return job;
	}

	/** A job in its present state, if it is known. */
	find(id: string): Job | undefined {
		const job = this.jobs.get(id);
		if (job?.state === 'outstanding' && job.expiresAt <= this.world.now()) {
			this.finish(job, 'timedOut', job.expiresAt);
		}
		return job;
	}

	/** A job that can still be answered; refuses with 404 otherwise. */
	outstanding(id: string): Job {
		const job = this.find(id);
		if (job?.state === 'outstanding') return job;
		throw new Refusal(404, 'unknown-job', 'No job with this identifier is outstanding.');
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

	private finish(job: Job, state: JobState, at: number): void {
		job.state = state;
		job.finishedAt = at;
		this.show(job);
	}

	/** Test jobs are not shown: they are there to try the plumbing without disturbing anybody. */
	private show(job: Job): void {
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
