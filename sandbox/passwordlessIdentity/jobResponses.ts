import type { HandlerResponse } from '../service';
import type { Job } from './jobs';
import { problemResponse } from './problems';
import type { PasswordlessIdentitySettings } from './settings';

const unknownJobResponse = () =>
	problemResponse(404, 'unknown-job', 'No job with this identifier is known.');
const statusResponse = (text: string): HandlerResponse => ({ status: 200, body: { status: text } });

/** Returns the response to a GET of a job in its current state, in the form that the settings choose. */
export function jobResponse(
	job: Job | undefined,
	settings: PasswordlessIdentitySettings,
): HandlerResponse {
	switch (job?.state) {
		case undefined:
			return unknownJobResponse();
		case 'outstanding':
			if (settings.scopeOutstanding === '204') return { status: 204 };
			return statusResponse(job.confirmed ? 'confirmed' : settings.scopeOutstanding);
		case 'completed':
			return completedResponse(job, settings);
		case 'cancelled':
			return settings.scopeCancelled === '404'
				? unknownJobResponse()
				: statusResponse(settings.scopeCancelled);
		case 'timedOut':
			if (settings.scopeTimedOut === '404') return unknownJobResponse();
			if (settings.scopeTimedOut === '410') {
				return problemResponse(410, 'expired-job', 'The job was not answered in time.');
			}
			return statusResponse(settings.scopeTimedOut);
	}
}

/** Returns the response to a HEAD: as for GET, but always 204 for an outstanding job. */
export function jobCheckResponse(
	job: Job | undefined,
	settings: PasswordlessIdentitySettings,
): HandlerResponse {
	if (job?.state === 'outstanding') return { status: 204 };
	return { status: jobResponse(job, settings).status };
}

function completedResponse(
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
