import { encodeQuery, RequestError, request, subscribe } from '/common/request.js';

const JWT_TYPE = 'application/jwt';

export const fetchDemo = (user) => request(`/phone/api/demo?${encodeQuery({ user })}`);
export const fetchItems = (identity) => request(`/phone/api/items?${encodeQuery(identity)}`);
export const fetchTokens = (phone) => request(`/phone/api/tokens?${encodeQuery({ phone })}`);

export const isRegistered = (fingerprint) =>
	request(`/identity/key/${fingerprint}`, { method: 'HEAD' }).then(
		() => true,
		(error) => {
			if (error.status === 404) return false;
			throw error.status === 410 ? new RequestError(410, 'This key was revoked.') : error;
		},
	);
export const registerKey = (token) =>
	request('/identity/key', { method: 'POST', contentType: JWT_TYPE, body: token });
export const updateKey = (fingerprint, token) =>
	request(`/identity/key/${fingerprint}`, { method: 'POST', contentType: JWT_TYPE, body: token });
export const completeJob = (job, token) =>
	request(`/identity/scope/${encodeURIComponent(job)}`, {
		method: 'PUT',
		contentType: JWT_TYPE,
		body: token,
	});
export const cancelJob = (job) =>
	request(`/identity/scope/${encodeURIComponent(job)}`, { method: 'DELETE' });
export const decideApproval = (uuid, decision) =>
	request(`/phone/api/approvals/${encodeURIComponent(uuid)}`, {
		method: 'POST',
		contentType: 'application/json',
		body: JSON.stringify({ decision }),
	});

/** Follows new items until the returned function is called. */
export const subscribeToItems = (identity, listeners) =>
	subscribe(`/phone/api/stream?${encodeQuery(identity)}`, listeners);
