/** A refusal in words that can be shown. */
export class Refused extends Error {
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

async function request(path, { method = 'GET', body, type } = {}) {
	let answer;
	try {
		const headers = type ? { 'content-type': type } : {};
		answer = await fetch(path, { method, headers, body });
	} catch {
		throw new Refused(0, 'The sandbox does not answer. Is it still running?');
	}
	const text = await answer.text();
	let content;
	try {
		content = JSON.parse(text);
	} catch {
		content = undefined;
	}
	if (answer.ok) return content;
	const reason = content?.detail ?? content?.title ?? content?.message ?? content?.error;
	throw new Refused(answer.status, String(reason ?? `The sandbox answered ${answer.status}`));
}

const jwt = 'application/jwt';
const query = (values) => new URLSearchParams(values).toString();

export const fetchDemo = () => request('/phone/api/demo');
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

/** Listens for arrivals until the returned function is called. The browser reconnects by itself. */
export function listen(who, { onItem, onRefresh, onLink }) {
	const source = new EventSource(`/phone/api/stream?${query(who)}`);
	source.addEventListener('item', (event) => onItem(JSON.parse(event.data)));
	source.addEventListener('refresh', onRefresh);
	source.onopen = () => onLink(true);
	source.onerror = () => onLink(false);
	return () => source.close();
}
