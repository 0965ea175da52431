import type { HandlerResponse } from '../service';
import type { Job } from './jobs';
import { createProblemResponse } from './problems';
import type { PasswordlessIdentitySettings } from './settings';

const createUnknownJobResponse = () =>
	createProblemResponse(404, 'unknown-job', 'No job with this identifier is known.');
const createStatusResponse = (text: string): HandlerResponse => ({
	status: 200,
	body: { status: text },
});

/** Returns the response to a GET of a job in its current state, in the form that the settings choose. */
export function createJobResponse(
	job: Job | undefined,
	settings: PasswordlessIdentitySettings,
): HandlerResponse {
	switch (job?.state) {
		case undefined:
			return createUnknownJobResponse();
		case 'outstanding':
			if (settings.scopeOutstanding === '204') return { status: 204 };
			return createStatusResponse(job.confirmed ? 'confirmed' : settings.scopeOutstanding);
		case 'completed':
			return createCompletedResponse(job, settings);
		case 'cancelled':
			return settings.scopeCancelled === '404'
				? createUnknownJobResponse()
				: createStatusResponse(settings.scopeCancelled);
		case 'timedOut':
			if (settings.scopeTimedOut === '404') return createUnknownJobResponse();
			if (settings.scopeTimedOut === '410') {
				return createProblemResponse(410, 'expired-job', 'The job was not answered in time.');
			}
			return createStatusResponse(settings.scopeTimedOut);
	}
}

/** Returns the response to a HEAD: as for GET, but always 204 for an outstanding job. */
export function createJobCheckResponse(
	job: Job | undefined,
	settings: PasswordlessIdentitySettings,
): HandlerResponse {
	if (job?.state === 'outstanding') return { status: 204 };
	return { status: createJobResponse(job, settings).status };
}

function createCompletedResponse(
	{ token, claims }: Job,
	settings: PasswordlessIdentitySettings,
): HandlerResponse {
	switch (settings.scopeCompleted) {
		case 'jwt':
			return { status: 200, body: token, contentType: 'application/jwt' };
		case 'text':
			return { status: 200, body: token, contentType: 'text/plain; charset=utf-8' };
		case 'string':
			return { status: 200, body: token, contentType: 'application/json' };
		case 'token':
			return { status: 200, body: { status: 'completed', token } };
		case 'claims':
			return { status: 200, body: claims };
	}
}
