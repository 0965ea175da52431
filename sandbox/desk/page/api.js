import { follow, query, request } from '/common/request.js';

/** Reads a view of a service. */
export const view = (service, name, values = {}) =>
	request(`/desk/api/${service}/${name}?${query(values)}`);

/** Runs an action of a service. */
export const act = (service, action, input) =>
	request(`/desk/api/${service}/${action}`, {
		method: 'POST',
		type: 'application/json',
		body: JSON.stringify(input),
	});

export const fetchChanges = () => request('/desk/api/changes');

/** Follows changes until the returned function is called. */
export const listen = (listeners) => follow('/desk/api/stream', listeners);
