import { sendToDesk, performAtDesk } from './deskClient';
import { useEventRegistration } from './eventClients';
import type { Json } from './eventClients';

// The form of event 1003 requires a company and a country, that of event 1004 does not. Event 1001 is over.
export const [strictEventId, simpleEventId, pastEventId] = [1003, 1004, 1001];
export const person = { FirstName: 'Đức', LastName: "N'Dour", Email: 'duc@ndour.example' };
export const service = 'eventRegistration';

/** A fresh sandbox for each test of a file, with actions at the desk and reads of the API. */
export function useRegistrationDesk() {
	const { sandbox, http } = useEventRegistration();
	const performAction = async <T = Json>(action: string, input: unknown): Promise<T> =>
		await performAtDesk<T>(sandbox, service, action, input);
	return {
		sandbox,
		http,
		performAction,
		/** Advances the clock, and returns a time that is after all earlier changes and before all later ones. */
		advanceClock: (): string => {
			sandbox.clock.advance(5000);
			return new Date(sandbox.clock.now() - 1).toISOString();
		},
		/** Sends an action to the desk that may be rejected, and returns the response. */
		tryAction: async (action: string, input: unknown) =>
			await sendToDesk(sandbox, service, action, input),
		readPath: async <T = Json>(path: string, params: Json = {}): Promise<T> =>
			(await http.get<T>(path, { params })).data,
		/** Registers the person for the event with the simple form. */
		register: async (otherFields: Json = {}) =>
			await performAction('register', { eventId: simpleEventId, ...person, ...otherFields }),
	};
}
