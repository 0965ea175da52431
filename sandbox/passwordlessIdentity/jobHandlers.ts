import type { HandlerResponse, ServiceRequest, Handler, World } from '../service';
import { createJobResponse, createJobCheckResponse } from './jobResponses';
import type { Job, Jobs } from './jobs';
import type { KeyStore } from './keys';
import { ProblemError } from './problems';
import type { PasswordlessIdentitySettings } from './settings';
import { readToken, verifyToken } from './tokens';
import { verifySigner } from './verifySigner';

/** The claims of a request for a scope job, which `readToken` checks against the contract. */
type ScopeRequestClaims = Pick<Job, 'sub' | 'scope' | 'email' | 'phone' | 'type'>;
type JobRequest = ServiceRequest<{ job: string }>;
type IssueRequest = ServiceRequest<object, { test?: number }, string>;
type ConfirmRequest = ServiceRequest<{ job: string }, object, { code?: string } | undefined>;

/** Handlers of the resource Scope Job. */
export function jobHandlers(
	world: World,
	settings: PasswordlessIdentitySettings,
	keys: KeyStore,
	jobs: Jobs,
): Record<string, Handler> {
	return {
		async issueScopeJob({ query, body, now }: IssueRequest): Promise<HandlerResponse> {
			const decoded = readToken(body, 'ScopeRequestClaims');
			const iss = await verifySigner(decoded, keys, now);
			const { sub, scope, email, phone, type } = decoded.claims as ScopeRequestClaims;
			const userKey = keys.get(sub);
			jobs.requireWithinIssueLimit(iss);
			const isTest = (query.test ?? 0) !== 0;
			const job = jobs.add({ iss, sub, scope, email, phone, type, test: isTest });
			if (needsCode(job, settings)) {
				sendCode(world, job, job.phone ?? userKey.phone, job.email ?? userKey.email);
			}
			return { status: 201, body: { job: job.job, status: 'waiting' } };
		},

		getScopeJob({ params }: JobRequest): HandlerResponse {
			return createJobResponse(jobs.find(params.job), settings);
		},

		checkScopeJob({ params }: JobRequest): HandlerResponse {
			return createJobCheckResponse(jobs.find(params.job), settings);
		},

		confirmScopeJob({ params, body }: ConfirmRequest): HandlerResponse {
			const job = jobs.getOutstanding(params.job);
			if (job.code !== undefined && body?.code !== job.code) {
				throw new ProblemError(401, 'auth-error', 'The code is wrong.');
			}
			job.confirmed = true;
			return { status: 202, body: { status: 'confirmed' } };
		},

		async updateScopeJobStatus({ params, body, now }: JobRequest): Promise<HandlerResponse> {
			const knownJob = jobs.find(params.job);
			// A phone that did not receive the response sends the same token again and gets the same response.
			if (knownJob?.state === 'completed' && knownJob.token === String(body).trim())
				return readyResponse;
			const job = jobs.getOutstanding(params.job);
			const decoded = readToken(body, 'ScopeClaims');
			if (decoded.claims.sub !== job.sub) {
				throw new ProblemError(401, 'auth-error', 'The job asks another user than "sub".');
			}
			const userKey = keys.find(job.sub);
			if (!userKey) throw new ProblemError(401, 'auth-error', 'The key of the user was revoked.');
			await verifyToken(decoded, userKey.jwk, now);
			if (job.code !== undefined && !job.confirmed) {
				throw new ProblemError(
					409,
					'confirm-first',
					'The code that was sent has to be confirmed first.',
				);
			}
			// Two phones may have signed while both signatures were checked: the first one counts.
			jobs.complete(jobs.getOutstanding(params.job), decoded.token, decoded.claims);
			return readyResponse;
		},

		cancelScopeJob({ params }: JobRequest): HandlerResponse {
			jobs.cancel(jobs.getOutstanding(params.job));
			return { status: 200, body: { status: 'done' } };
		},
	};
}

const readyResponse: HandlerResponse = { status: 200, body: { status: 'ready' } };

function needsCode(
	{ email, phone }: Job,
	{ scopeConfirmation }: PasswordlessIdentitySettings,
): boolean {
	return (
		scopeConfirmation === 'always' ||
		(scopeConfirmation === 'contact' && (email !== undefined || phone !== undefined))
	);
}

/** Sends a code by SMS if a phone number is known, else by mail. */
function sendCode(world: World, job: Job, phone?: string, email?: string): void {
	const code = world.random.digits(6);
	job.code = code;
	const message = {
		id: world.random.uuid(),
		at: job.createdAt,
		from: 'Identity Service',
		text: `Your code to confirm the request is ${code}.`,
		code,
	};
	if (phone !== undefined) {
		const to = { phone: `+${phone.replace(/\D/g, '')}` };
		world.phone.deliver({ ...message, kind: 'sms', to });
	} else if (email !== undefined) {
		world.phone.deliver({ ...message, kind: 'mail', to: { email } });
	}
}
