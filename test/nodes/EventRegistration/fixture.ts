import type { IDataObject } from 'n8n-workflow';

import type { SandboxOptions } from '../../../sandbox/server';
import { useHouse } from '../../support/house';

/** The event registration node on a sandbox that is fresh for each test of a file, and what tests of one resource do with it. */
export function useResource(resource: string, options?: SandboxOptions) {
	const house = useHouse(options);
	return {
		house,
		settings: () => house.sandbox.settings.eventRegistration,
		/** How many requests of an operation of the contract the service received. */
		count: (request: string) => house.sandbox.journal.count('eventRegistration', request),
		run: (operation: string, parameters: object, input?: IDataObject[], node: object = {}) =>
			house.run('eventRegistration', { resource, operation, ...parameters }, input, node),
	};
}
