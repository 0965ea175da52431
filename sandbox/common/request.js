/** A rejected request, with a message that can be shown. */
export class Refused extends Error {
	constructor(status, message, fields = {}) {
		super(message);
		this.status = status;
		/** Messages by field, if the error is about fields. */
		this.fields = fields;
	}
}

/** Sends a request to the sandbox and returns the parsed response; throws `Refused` if it fails. */
export async function request(path, { method = 'GET', body, type } = {}) {
	let parsed;
	try {
		const headers = type ? { 'content-type': type } : {};
		parsed = await fetch(path, { method, headers, body });
	} catch {
		throw new Refused(0, 'The sandbox does not answer. Is it still running?');
	}
	const text = await parsed.text();
	let content;
	try {
		content = JSON.parse(text);
	} catch {
		content = undefined;
	}
	if (parsed.ok) return content;
	const reason = content?.detail ?? content?.title ?? content?.message ?? content?.error;
	throw new Refused(
		parsed.status,
		String(reason ?? `The sandbox answered ${parsed.status}`),
		content?.fields,
	);
}

/** Encodes values as a query string. */
export const query = (values) => new URLSearchParams(values).toString();

/** Follows an event stream until the returned function is called. The browser reconnects automatically. */
export function follow(path, { onItem, onRefresh, onLink }) {
	const source = new EventSource(path);
	source.addEventListener('item', (event) => onItem(JSON.parse(event.data)));
	source.addEventListener('refresh', onRefresh);
	source.onopen = () => onLink(true);
	source.onerror = () => onLink(false);
	return () => source.close();
}

/**
 * Wraps a loader so that its runs do not overlap. `reload` during a run, or `noteArrival` for an item that arrives during one,
 * makes it run once more: the response may not contain that item.
 */
export function createReloader(load) {
	let isLoading = false;
	let loadsAgain = false;
	async function reload() {
		loadsAgain = isLoading;
		if (isLoading) return;
		isLoading = true;
		try {
			await load();
		} finally {
			isLoading = false;
		}
		if (loadsAgain) await reload();
	}
	const noteArrival = () => {
		loadsAgain = isLoading;
	};
	return { reload, noteArrival };
}
