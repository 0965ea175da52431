/*
 * The desk simulates the event's staff. Its page is under /desk, and its data under /desk/api, as JSON. Programs may use the
 * data too; in this process `sandbox.control(service, action, input)` does the same as a POST.
 *
 *   GET  /desk/api/changes            { now, changes }: the last writes, by the API and at the desk, oldest first
 *   GET  /desk/api/stream             server-sent events: `item` for each change, `refresh` when the page must reload
 *   GET  /desk/api/{service}/{view}   views of the page, defined in each service's desk.ts: `events`, `people?eventId=`, …
 *   POST /desk/api/{service}/{action} runs one of the actions below and returns the record as the API shows it now;
 *                                     a rejection is { error, fields? } with status 400, 404, 409 or 422
 *
 * Actions of eventRegistration (see its controls.ts), with the API's field names:
 *   register               { eventId, FirstName, …, RegistrationTypeId?, SendEmails?, CustomFields?: [{ Name, Value }] }
 *   changeRegistration     { eventId, registrationId, …fields to change }
 *   setRegistrationStatus  { eventId, registrationId, status: Confirmed | Pending | Waitlisted | Cancelled }
 *   checkIn, checkOut      { eventId, registrationId, sessionId? }
 *   order                  { eventId, registrationId, PaymentAmount?, RegistrationOptions: [{ RegistrationOptionId, … }] }
 *   pay, refund            { eventId, orderId, amount?, method?, memo? }; a refund is a negative transaction
 *   addContact             { contactListId, …fields }
 *   changeContact          { contactListId, contactId, …fields to change }
 *   removeContact          { contactListId, contactId }
 *   addEvent               { Name, StartDate, EndDate, TimeZoneOffset? }
 *   changeEvent            { eventId, …fields to change }
 *   addSession             { eventId, Title, StartDateTime, EndDateTime }
 *   changeSession          { eventId, sessionId, …fields to change }
 *   removeSession          { eventId, sessionId }
 *
 * Actions of eventData:
 *   addEvent               { name, startDate, endDate, description?, location?, capacity? }
 *   changeEvent            { eventId, …fields to change }
 *   register               { eventId, firstName, lastName, email, company?, status? }: { attendee, registration }
 *   addAttendee            the input of `register`; adds an attendee without a registration
 *   changeAttendee         { attendeeId, …fields to change }
 *   checkIn, undoCheckIn   { attendeeId }
 *   addSession             { eventId, title, startTime, endTime, description?, speaker?, location?, capacity? }
 *   changeSession          { sessionId, …fields to change }
 *   addRegistration        { eventId, attendeeId }
 *   setRegistrationStatus  { registrationId, status: pending | confirmed | cancelled }
 *
 * Every timestamp is the sandbox's time (`world.now()`) in milliseconds; the `Date` header is the same time in seconds. The
 * API's updatedAfter, lastUpdatedAfter and addedAfter return later records, and exclude those of exactly that time.
 */
import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';

import { ControlError } from '../controlError';
import { runControl, withControlErrors } from '../controlRoutes';
import type { Input } from '../readInput';
import { sendEvents } from '../sendEvents';
import { servePage } from '../servePage';
import type { ServiceDefinition, World } from '../service';

/** The desk's page under /desk and its data under /desk/api. */
export function deskRoutes({ world, services }: { world: World; services: ServiceDefinition[] }) {
	const findDeskService = (name: string): ServiceDefinition => {
		const deskService = services.find((service) => service.name === name && service.desk);
		if (!deskService)
			throw new ControlError(404, `The desk has no service '${name.slice(0, 100)}'`);
		return deskService;
	};

	return async (server: FastifyInstance) => {
		servePage(server, join(__dirname, 'page'));

		server.get('/api/changes', () => ({ now: world.now(), changes: world.desk.changes() }));

		server.get('/api/stream', (request, reply) =>
			sendEvents(request, reply, (send) => {
				const refresh = () => send('refresh', { now: world.now() });
				const unwatch = world.desk.watch((item) => send('item', { now: world.now(), item }));
				const unsubscribeRefresh = world.desk.onRefresh(refresh);
				// Makes the page reload changes that happened between its first request and this moment.
				refresh();
				return () => {
					unwatch();
					unsubscribeRefresh();
				};
			}),
		);

		server.get<{ Params: { service: string; view: string }; Querystring: Input }>(
			'/api/:service/:view',
			({ params, query }) => {
				const { name, desk = {} } = findDeskService(params.service);
				if (!Object.hasOwn(desk, params.view)) {
					const views = Object.keys(desk).join(', ');
					throw new ControlError(404, `'${name}' has no such view; it has: ${views}`);
				}
				return withControlErrors(() => desk[params.view]!(query));
			},
		);

		server.post<{ Params: { service: string; action: string }; Body: unknown }>(
			'/api/:service/:action',
			async ({ params, body }, reply) => {
				const { name } = findDeskService(params.service);
				return reply.send(await runControl(services, name, params.action, body ?? {}));
			},
		);
	};
}
