import type { IDataObject } from 'n8n-workflow';

import type { SandboxOptions } from '../../../sandbox/server';
import { useRig } from '../../support/sandboxRig';

/** Opens a sandbox for each test of a file. Returns it with helpers that run the operations of one resource. */
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
