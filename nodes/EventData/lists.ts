import { searchList } from '../engine/lists';
import { service } from './service';

/** The lists that users pick from. */
export const lists = {
	searchEvents: searchList(service, {
		path: '/events',
		paging: { page: 'page', identify: ({ id }) => id },
		name: ({ name, startDate }) => `${name} (${`${startDate}`.slice(0, 10)})`,
		value: ({ id }) => `${id}`,
		description: ({ location }) => (location ? `${location}` : undefined),
	}),
};
