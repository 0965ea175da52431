/*
 * The desk plays the event's side. Its page is under /desk, and what the page needs is under /desk/api, as JSON. Programs
 * may use it too; in this process `sandbox.control(service, action, input)` does the same as a POST.
 *
 *   GET  /desk/api/changes            { now, changes }: what was written last, by the API and at the desk, oldest first
 *   GET  /desk/api/stream             server-sent events: `item` for each change, `refresh` when all must be read afresh
 *   GET  /desk/api/{service}/{view}   what the page shows; desk.ts of each service has them: `events`, `people?eventId=`, …
 *   POST /desk/api/{service}/{action} does one of the actions below and answers with the record as the API shows it now;
 *                                     a refusal is { error, fields? } with status 400, 404, 409 or 422
 *
 * Actions of eventRegistration (controls.ts there), with fields named as the API names them:
 *   register               { eventId, FirstName, …, RegistrationTypeId?, SendEmails?, CustomFields?: [{ Name, Value }] }
 *   changeRegistration     { eventId, registrationId, …fields to change }
 *   setRegistrationStatus  { eventId, registrationId, status: Confirmed | Pending | Waitlisted | Cancelled }
 *   checkIn, checkOut      { eventId, registrationId, sessionId? }
 *   order                  { eventId, registrationId, PaymentAmount?, RegistrationOptions: [{ RegistrationOptionId, … }] }
 *   pay, refund            { eventId, orderId, amount?, method?, memo? }; a refund is a transaction below zero
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
 *   addAttendee            the same, without a registration
 *   changeAttendee         { attendeeId, …fields to change }
 *   checkIn, undoCheckIn   { attendeeId }
 *   addSession             { eventId, title, startTime, endTime, description?, speaker?, location?, capacity? }
 *   changeSession          { sessionId, …fields to change }
 *   addRegistration        { eventId, attendeeId }
 *   setRegistrationStatus  { registrationId, status: pending | confirmed | cancelled }
 *
 * Every time stamp is the sandbox's time (`world.now()`) to the millisecond, as is the `Date` header, to the second. The
 * API's updatedAfter, lastUpdatedAfter and addedAfter give what is later, without what is of exactly that moment.
 */
import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';

import { answering, runControl } from '../control';
import { ControlError } from '../controlError';
import type { Input } from '../input';
import { servePage } from '../pages';
import type { ServiceDefinition, World } from '../service';
import { sendEvents } from '../stream';

/** The desk's page under /desk and what it needs under /desk/api. */
export function deskRoutes({ world, services }: { world: World; services: ServiceDefinition[] }) {
	const atDesk = (name: string): ServiceDefinition => {
		const found = services.find((service) => service.name === name && service.desk);
		if (!found) throw new ControlError(404, `The desk has no service '${name.slice(0, 100)}'`);
		return found;
	};

	return async (server: FastifyInstance) => {
		servePage(server, join(__dirname, 'page'));

		server.get('/api/changes', () => ({ now: world.now(), changes: world.desk.changes() }));

		server.get('/api/stream', (request, reply) =>
			sendEvents(request, reply, (send) => {
				const refresh = () => send('refresh', { now: world.now() });
				const unwatch = world.desk.watch((item) => send('item', { now: world.now(), item }));
				const stopRefreshing = world.desk.onRefresh(refresh);
				// Whatever changed between the page's first look and this moment is fetched again.
				refresh();
				return () => {
					unwatch();
					stopRefreshing();
				};
			}),
		);

		server.get<{ Params: { service: string; view: string }; Querystring: Input }>(
			'/api/:service/:view',
			({ params, query }) => {
				const { name, desk = {} } = atDesk(params.service);
				if (!Object.hasOwn(desk, params.view)) {
					const known = Object.keys(desk).join(', ');
					throw new ControlError(404, `'${name}' has no such view; it has: ${known}`);
				}
				return answering(() => desk[params.view]!(query));
			},
		);

		server.post<{ Params: { service: string; action: string }; Body: unknown }>(
			'/api/:service/:action',
			async ({ params, body }, reply) => {
				const { name } = atDesk(params.service);
				return reply.send(await runControl(services, name, params.action, body ?? {}));
			},
		);
	};
}
