import * as api from './api.js';
import { selectClaims } from './claims.js';
import { signToken } from './keys.js';
import { storeDenial } from './person.js';

function signAnswer(job, { key, profile, now }) {
	const nowSeconds = Math.floor(now / 1000);
	const claims = {
		...selectClaims(job.scope, profile),
		iss: key.fingerprint,
		sub: key.fingerprint,
		aud: job.from,
		job: job.id,
		iat: nowSeconds,
		exp: nowSeconds + 3600,
	};
	return signToken(claims, key);
}

/** Sends a person's decision on a request to its service; identity requests are signed with the person's key. */
export async function sendAnswer(item, isApproved, person) {
	if (item.kind === 'approval')
		await api.decideApproval(item.id, isApproved ? 'approved' : 'denied');
	else if (isApproved) await api.completeJob(item.id, await signAnswer(item, person));
	else {
		storeDenial(item);
		await api.cancelJob(item.id);
	}
}
