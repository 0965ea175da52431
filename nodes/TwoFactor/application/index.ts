import { resource } from '../../engine/operation';
import { getDetails } from './getDetails';
import { getStatistics } from './getStatistics';

export const application = resource({
	name: 'Application',
	description: 'The application that the API key belongs to',
	operations: { getDetails, getStatistics },
	defaultOperation: 'getDetails',
});
