import { operation } from '../../engine/operation';
import { dateTimeField, eventId } from '../fields';
import { summarize } from '../reports/summary';

const newSince = dateTimeField(
	'New Since',
	'newSince',
	'Also count the people who registered at this time or later. Registration dates without a time zone are read as UTC.',
);

export const getSummary = operation({
	name: 'Get Summary',
	action: 'Get a summary of an event',
	description: 'Count registrations, check-ins and who is missing, and add up the payments',
	fields: { eventId, newSince },
	idempotent: true,
	run: async (values, call) => await summarize(call, values.eventId, values.newSince),
	outputSchema: {
		EventId: 'integer',
		Name: 'string',
		StartDate: 'string',
		EndDate: 'string',
		registered: 'integer',
		canceled: 'integer',
		newRegistrations: 'integer',
		checkedIn: 'integer',
		missing: 'integer',
		unmatchedCheckIns: 'integer',
		byType: 'array',
		byStatus: 'array',
		byCurrency: 'array',
	},
});
