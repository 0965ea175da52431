import * as api from './api.js';
import { claimsFor } from './claims.js';
import { signToken } from './keys.js';
import { storeDenied } from './person.js';

function signAnswer(job, { key, profile, now }) {
	const seconds = Math.floor(now / 1000);
	const claims = {
		...claimsFor(job.scope, profile),
		iss: key.fingerprint,
		sub: key.fingerprint,
		aud: job.from,
		job: job.id,
		iat: seconds,
		exp: seconds + 3600,
	};
	return signToken(claims, key);
}

/** Sends a person's decision on a request to its service; identity requests are signed with the person's key. */
export async function sendAnswer(item, approve, person) {
	if (item.kind === 'approval') await api.decide(item.id, approve ? 'approved' : 'denied');
	else if (approve) await api.completeJob(item.id, await signAnswer(item, person));
	else {
		storeDenied(item);
		await api.cancelJob(item.id);
	}
}
