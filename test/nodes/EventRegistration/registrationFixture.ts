import type { IDataObject } from 'n8n-workflow';

import type { SandboxOptions } from '../../../sandbox/server';
import { useRig } from '../../support/sandboxRig';

/** The event registration node on a sandbox that is fresh for each test of a file, and what tests of one resource do with it. */
export function useResource(resource: string, options?: SandboxOptions) {
	const rig = useRig(options);
	return {
		rig,
		settings: () => rig.sandbox.settings.eventRegistration,
		/** Counts the requests of a contract operation that the service received. */
		countRequests: (request: string) => rig.sandbox.requestLog.count('eventRegistration', request),
		run: (operation: string, parameters: object, input?: IDataObject[], node: object = {}) =>
			rig.run('eventRegistration', { resource, operation, ...parameters }, input, node),
	};
}
