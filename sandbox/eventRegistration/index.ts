import { respondToRejectedRequests } from '../rejectedRequest';
import type { ServiceFactory } from '../service';
import { contactHandlers } from './contactHandlers';
import { eventRegistrationControls } from './controls';
import { eventRegistrationDesk } from './desk';
import { eventHandlers } from './eventHandlers';
import { orderHandlers } from './orderHandlers';
import { registrationHandlers } from './registrationHandlers';
import { errorBody } from './responses';
import { formShapes } from './shapeForm';
import { Store } from './store';

/** The event registration service, with its own demo data. */
export const eventRegistration: ServiceFactory = (world) => {
	const settings = world.settings.eventRegistration;
	let current = new Store(world);
	const store = () => current;
	const handlers = {
		...contactHandlers(store, settings),
		...eventHandlers(store, settings),
		...registrationHandlers(store, settings, world),
		...orderHandlers(store, settings),
	};
	return {
		name: 'eventRegistration',
		credential: { ...world.demo.eventRegistration, prefix: '', firstPage: 'detect' },
		settings: {
			firstPage: 1,
			paging: 'normal',
			defaultPageSize: 200,
			formShape: 'captionToName',
			singleAs: 'object',
			idsAs: 'number',
			contactAddMode: 'allOrNothing',
			contactStorage: 'asSent',
			contactUpdateMode: 'merge',
			headerName: world.demo.eventRegistration.headerName,
			prefix: '',
		},
		settingChoices: {
			firstPage: [0, 1],
			paging: ['normal', 'ignored', 'repeatsLast'],
			formShape: formShapes,
			singleAs: ['object', 'array'],
			idsAs: ['number', 'string'],
			contactAddMode: ['allOrNothing', 'validOnly'],
			contactStorage: ['asSent', 'normalized'],
			contactUpdateMode: ['merge', 'replaceCustom', 'replaceSentCustom'],
		},
		authorize(headers) {
			const { apiKey } = world.demo.eventRegistration;
			const expectedKey = settings.prefix ? `${settings.prefix} ${apiKey}` : apiKey;
			if (headers[String(settings.headerName).toLowerCase()] === expectedKey) return undefined;
			const Message = 'Authorization has been denied for this request.';
			return { status: 401, body: { Message } };
		},
		errorBody,
		handlers: respondToRejectedRequests(handlers),
		desk: eventRegistrationDesk(store),
		controls: eventRegistrationControls(store, settings, world),
		reset() {
			current = new Store(world);
		},
		storedRecords: () => current.storedRecords(),
	};
};
