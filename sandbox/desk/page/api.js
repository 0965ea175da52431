import { encodeQuery, request, subscribe } from '/common/request.js';

/** Reads a view of a service. */
export const fetchView = (service, name, values = {}) =>
	request(`/desk/api/${service}/${name}?${encodeQuery(values)}`);

/** Runs an action of a service. */
export const runAction = (service, action, input) =>
	request(`/desk/api/${service}/${action}`, {
		method: 'POST',
		contentType: 'application/json',
		body: JSON.stringify(input),
	});

export const fetchChanges = () => request('/desk/api/changes');

/** Follows changes until the returned function is called. */
export const subscribeToChanges = (listeners) => subscribe('/desk/api/stream', listeners);
