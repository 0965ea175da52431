import { atDesk, doAtDesk } from './deskClient';
import { useEventRegistration } from './eventClients';
import type { Json } from './eventClients';

// The third form demands company and country, the fourth does not; the last but four is yet to come.
export const [demanding, easy, past] = [1003, 1004, 1001];
export const person = { FirstName: 'Đức', LastName: "N'Dour", Email: 'duc@ndour.example' };
export const service = 'eventRegistration';

/** A fresh sandbox for each test of a file, with actions at the desk and reads of the API. */
export function useRegistrationDesk() {
	const { sandbox, http } = useEventRegistration();
	const act = async <T = Json>(action: string, input: unknown): Promise<T> =>
		await doAtDesk<T>(sandbox, service, action, input);
	return {
		sandbox,
		http,
		act,
		/** Advances the clock: all that follows is later than everything before. Returns the time in between. */
		later: (): string => {
			sandbox.clock.advance(5000);
			return new Date(sandbox.clock.now() - 1).toISOString();
		},
		rejection: async (action: string, input: unknown) =>
			await atDesk(sandbox, service, action, input),
		get: async <T = Json>(path: string, params: Json = {}): Promise<T> =>
			(await http.get<T>(path, { params })).data,
		register: async (more: Json = {}) =>
			await act('register', { eventId: easy, ...person, ...more }),
	};
}
