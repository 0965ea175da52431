import { respondToRejectedRequests } from '../rejectedRequest';
import type { ServiceFactory } from '../service';
import { eventDataControls } from './controls';
import { eventDataDesk } from './desk';
import { eventDataHandlers } from './handlers';
import { errorBody } from './responses';
import { Store } from './store';

/** The event data service, with its own demo data. */
export const eventData: ServiceFactory = (world) => {
	const settings = world.settings.eventData;
	let current = new Store(world);
	const store = () => current;
	return {
		name: 'eventData',
		credential: world.demo.eventData,
		settings: {
			lists: 'documented',
			pageLimit: 10,
			headerName: world.demo.eventData.headerName,
		},
		settingChoices: { lists: ['documented', 'bare', 'wrapped'] },
		authorize(headers) {
			const apiKey = headers[String(settings.headerName).toLowerCase()];
			if (apiKey === world.demo.eventData.apiKey) return undefined;
			const message = 'The API key is missing or not valid';
			return { status: 401, body: { error: 'unauthorized', message } };
		},
		errorBody,
		handlers: respondToRejectedRequests(eventDataHandlers(store, settings)),
		desk: eventDataDesk(store, world),
		controls: eventDataControls(store, world),
		reset() {
			current = new Store(world);
		},
		storedRecords: () => current.storedRecords(),
	};
};
