/** A refusal in words that can be shown. */
export class Refused extends Error {
	constructor(status, message, fields = {}) {
		super(message);
		this.status = status;
		/** What is wrong with which field, where it is about fields. */
		this.fields = fields;
	}
}

/** One request to the sandbox: the content of its answer, or a refusal. */
export async function request(path, { method = 'GET', body, type } = {}) {
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
	throw new Refused(
		answer.status,
		String(reason ?? `The sandbox answered ${answer.status}`),
		content?.fields,
	);
}

/** A query of these values. */
export const query = (values) => new URLSearchParams(values).toString();

/** Follows a stream until the returned function is called. The browser reconnects by itself. */
export function follow(path, { onItem, onRefresh, onLink }) {
	const source = new EventSource(path);
	source.addEventListener('item', (event) => onItem(JSON.parse(event.data)));
	source.addEventListener('refresh', onRefresh);
	source.onopen = () => onLink(true);
	source.onerror = () => onLink(false);
	return () => source.close();
}
