import { follow, query, Refused, request } from '/common/request.js';

const jwt = 'application/jwt';

export const fetchDemo = (user) => request(`/phone/api/demo?${query({ user })}`);
export const fetchItems = (who) => request(`/phone/api/items?${query(who)}`);
export const fetchTokens = (phone) => request(`/phone/api/tokens?${query({ phone })}`);

export const isRegistered = (fingerprint) =>
	request(`/identity/key/${fingerprint}`, { method: 'HEAD' }).then(
		() => true,
		(error) => {
			if (error.status === 404) return false;
			throw error.status === 410 ? new Refused(410, 'This key was revoked.') : error;
		},
	);
export const registerKey = (token) =>
	request('/identity/key', { method: 'POST', type: jwt, body: token });
export const updateKey = (fingerprint, token) =>
	request(`/identity/key/${fingerprint}`, { method: 'POST', type: jwt, body: token });
export const completeJob = (job, token) =>
	request(`/identity/scope/${encodeURIComponent(job)}`, { method: 'PUT', type: jwt, body: token });
export const cancelJob = (job) =>
	request(`/identity/scope/${encodeURIComponent(job)}`, { method: 'DELETE' });
export const decide = (uuid, decision) =>
	request(`/phone/api/approvals/${encodeURIComponent(uuid)}`, {
		method: 'POST',
		type: 'application/json',
		body: JSON.stringify({ decision }),
	});

/** Follows new items until the returned function is called. */
export const listen = (who, listeners) => follow(`/phone/api/stream?${query(who)}`, listeners);
