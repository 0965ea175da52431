import { locateById } from '../../support/locators';
import { openPanel } from '../../support/panel';
import { useRig } from '../../support/sandboxRig';
import { demoIds } from './demoIds';

/** A chosen event and a chosen contact list, as the panel stores them. */
export const event = { eventId: locateById(demoIds.eventId) };
export const list = { contactListId: locateById(demoIds.contactListId) };

/** A sandbox with all nodes, and the panel of Event Registration. */
export function usePanel() {
	const rig = useRig({ registrations: 5000 });
	return {
		rig,
		/** Opens the panel of the node with these parameters. */
		openNodePanel: (parameters: object = {}) =>
			openPanel(rig.kit, 'eventRegistration', parameters as never),
		settings: () => rig.sandbox.settings.eventRegistration,
	};
}
