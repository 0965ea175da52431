/** A rejected request, with a message that can be shown. */
export class RequestError extends Error {
	constructor(status, message, fields = {}) {
		super(message);
		this.status = status;
		/** Messages by field, if the error is about fields. */
		this.fields = fields;
	}
}

/** Sends a request to the sandbox and returns the parsed response; throws `RequestError` if it fails. */
export async function request(path, { method = 'GET', body, contentType } = {}) {
	let response;
	try {
		const headers = contentType ? { 'content-type': contentType } : {};
		response = await fetch(path, { method, headers, body });
	} catch {
		throw new RequestError(0, 'The sandbox does not answer. Is it still running?');
	}
	const text = await response.text();
	let result;
	try {
		result = JSON.parse(text);
	} catch {
		result = undefined;
	}
	if (response.ok) return result;
	const reason = result?.detail ?? result?.title ?? result?.message ?? result?.error;
	throw new RequestError(
		response.status,
		String(reason ?? `The sandbox answered ${response.status}`),
		result?.fields,
	);
}

/** Encodes values as a query string. */
export const encodeQuery = (values) => new URLSearchParams(values).toString();

/** Follows an event stream until the returned function is called. The browser reconnects automatically. */
export function subscribe(path, { onItem, onRefresh, onConnectionChange }) {
	const source = new EventSource(path);
	source.addEventListener('item', (event) => onItem(JSON.parse(event.data)));
	source.addEventListener('refresh', onRefresh);
	source.onopen = () => onConnectionChange(true);
	source.onerror = () => onConnectionChange(false);
	return () => source.close();
}

/**
 * Wraps a loader so that its runs do not overlap. The loader runs once more if `reload` is called during a run, or
 * `markStale` for an item that arrives during a run: the response may not contain that item.
 */
export function createReloader(load) {
	let isLoading = false;
	let mustLoadAgain = false;
	async function reload() {
		mustLoadAgain = isLoading;
		if (isLoading) return;
		isLoading = true;
		try {
			await load();
		} finally {
			isLoading = false;
		}
		if (mustLoadAgain) await reload();
	}
	const markStale = () => {
		mustLoadAgain = isLoading;
	};
	return { reload, markStale };
}
